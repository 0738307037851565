import type { Candidate } from '../nouns/candidate.js';
import { planeOf, protocolsOf } from '../nouns/channel-mask.js';
import { isoTime } from '../nouns/diagnosis-input.js';
import { confidenceOf, type Finding } from '../nouns/finding.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import type { PathSight } from '../life/path-sight.js';
import { written } from './command.js';
import { pathFindingId } from './finding-id.js';
import type { NamedSight } from './kind.js';
import { isLocal } from './of-nodes.js';
import { isRefused } from './waits.js';
import { nodeOfCause } from './words.js';

/** Writes the finding of a cause of paths: its text, evidence and next commands. */
export function pathFinding(named: NamedSight): Candidate {
  const { sight, kind, direction } = named;
  const { found, cause, input, oneFlow, beganMsAgo } = sight;
  const { failing, of, reporting } = sight.seen();
  const node = nodeOfCause(sight);
  const plane = planeOf(cause.knownChannels);
  const isUnsure = cause.isPartial || cause.trouble !== 'broken';
  const sinceMs = input.now - beganMsAgo;
  const id = pathFindingId(found, input.index);
  const tracedBy = sight.tracers(id);
  const finding: Finding = {
    id,
    kind: kind.kind,
    severity: kind.severity,
    ...subjectFields(sight),
    ...(plane && { plane }),
    ...kind.fields?.(sight),
    protocols: protocolsOf(cause.knownChannels),
    ...(direction && { direction }),
    since: isoTime(input, sinceMs),
    seenBy: { failing, of: reporting },
    ...(cause.trouble === 'broken' && { looked: { of } }),
    explains: oneFlow.reduce((sum, { paths }) => sum + paths, cause.paths),
    confidence: confidenceOf(cause.paths, cause.well, isUnsure ? 0.8 : 1),
    text: kind.text(named),
    next: nextOf(named, node),
    evidence: sight.evidence(),
    ...(tracedBy.length > 0 && { tracedBy: [...tracedBy] }),
    ...(isLocal(sight) && { local: true as const }),
  };
  const causes = [nameCause(found, input.index)];
  const explained = [found, ...oneFlow];
  return { finding, sinceMs, settleMs: kind.waitsMs(named), causes, explained };
}

/** The commands of a kind, for a finding or for many that are told as one. */
export function nextOf(
  { sight, kind, working }: NamedSight,
  to = sight.ends().to,
  mask = sight.cause.knownChannels,
): string[] {
  const { probePort, namespace } = sight.input;
  const { type } = sight.cause.subject;
  const about = {
    to,
    host: to?.host[0],
    endpoint: to?.endpoint[0],
    fromHost: sight.ends().from?.host[0],
    probePort,
    namespace,
    isEverywhere: type === 'cluster',
    isBetweenGroups: type === 'groups',
    mayBeDown: sight.isAboutServers && working === 0 && !isRefused(sight),
    plane: planeOf(mask),
  };
  return written(kind.next(about));
}

function subjectFields({ cause: { subject }, input }: PathSight): Partial<Finding> {
  const names = namesOf(subject, input.index);
  const [first = '', second = ''] = names;
  switch (subject.type) {
    case 'cluster':
    case 'group':
    case 'groups':
      return {};
    case 'node':
      return { node: first };
    case 'zones':
      return { zones: names };
    case 'pair':
      return { pair: [first, second] };
  }
}
