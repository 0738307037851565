import type { Cause } from './cause.js';
import { planeOf, protocolsOf } from './channels.js';
import type { ClusterIndex } from './cluster-index.js';
import { nextCommands } from './commands.js';
import type { DiagnosisInput, DiagnosisNode } from './diagnosis-input.js';
import {
  beganAt,
  commonFailure,
  samplePaths,
  toEvidence,
  wordsOf,
  type ExplainedPath,
} from './evidence-paths.js';
import type { Direction, Finding, FindingKind } from './finding.js';
import { kindOf } from './kind-of.js';
import { looksAt, type Observations, type Observer } from './observations.js';
import { textOf } from './text.js';

/** A finding that may open, and for how long its cause must last before it does. */
export interface Candidate {
  /** Its `since` is that of the paths it explains. */
  readonly finding: Finding;
  readonly settleMs: number;
}

/** What all findings of one run share. */
export interface Facts {
  readonly input: DiagnosisInput;
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly localNode: number;
  /** When a node was last heard of, epoch milliseconds. */
  readonly heardAt: (name: string) => number | undefined;
}

/** In this time every observer has seen all that fails, so a part is not taken for the whole. */
const partSettleMs = 4000;
const wholeSettleMs = 2000;
/** If one observer alone sees it, the rows of the others need this time to arrive. */
const loneSettleMs = 10_000;
const lossySettleMs = 10_000;
/** A busy host answers late for some seconds, and two busy hosts may follow each other. */
const slowSettleMs = 60_000;
/**
 * A server that restarts refuses connections for this long. After that, its peers need this time to
 * probe it again.
 */
const restartMs = 6000;
const restartedMs = 30_000;
/** An answer of a node may still arrive this long after it died. */
const slackMs = 2000;

/** Writes the finding of a cause: its kind, text, evidence and next commands. */
export function buildFinding(found: Cause, facts: Facts): Candidate {
  const { input, index, observations, localNode } = facts;
  const { subject, mask } = found;
  const nodeAt = (number: number) => index.nodes[number];
  const paths = samplePaths(found, { observations, localNode, now: input.now }, index);
  const sinceAt = beganAt(paths, input.now);
  const node = subject.type === 'node' ? nodeAt(subject.node) : undefined;
  const isLocal = node !== undefined && node.name === input.localName;
  const heardAt = node && facts.heardAt(node.name);
  const isHeardSince = heardAt !== undefined && heardAt > sinceAt + slackMs;
  // The node's own GETs arrive, and those need packets both ways. So only what is sent to the node
  // fails.
  const reachesOthers = isHeardSince && found.isWhole && found.ways === 'in' && !isLocal;
  const cause = reachesOthers ? { ...found, reverseWorks: true } : found;
  const tellsOfNow = subject.type === 'node' && tellsAfter(facts, subject.node, sinceAt + slackMs);
  const kind = kindOf(cause, isLocal || isHeardSince || tellsOfNow);
  const { from, to } = endsOf(cause, paths, facts);
  const zones =
    subject.type === 'zones'
      ? [subject.zone, subject.other].flatMap((zone) =>
          zone === undefined ? [] : (index.zones[zone]?.name ?? []),
        )
      : [];
  const counts = { seenBy: seenBy(cause, facts), targets: targetsOf(cause, facts) };
  const failure = commonFailure(paths);
  const plane = planeOf(mask);
  const direction = directionOf(cause);
  const finding: Finding = {
    id: idOf(kind, cause, { node, from, to, zones }),
    kind,
    severity: cause.trouble === 'broken' ? 'broken' : 'degraded',
    ...(node && { node: node.name }),
    ...(plane && { plane }),
    protocols: protocolsOf(mask),
    ...(direction && { direction }),
    since: new Date(sinceAt).toISOString(),
    seenBy: counts.seenBy,
    explains: cause.paths,
    confidence: confidenceOf(cause),
    text: textOf({
      cause,
      kind,
      node,
      from,
      to,
      zones,
      isLocal,
      targets: counts.targets,
      seenBy: others(cause, counts.seenBy),
      // "No answer" tells the reader nothing new.
      failure: failure === undefined || failure === 'timeout' ? undefined : wordsOf(failure),
      probePort: input.probePort,
    }),
    next: nextCommands({
      kind,
      from,
      to: node ?? to,
      isEverywhere: subject.type === 'cluster',
      probePort: input.probePort,
      namespace: input.namespace,
    }),
    evidence: toEvidence(paths),
    ...(subject.type === 'zones' && { zones }),
    ...(subject.type === 'pair' && from && to && { pair: [from.name, to.name] as const }),
    ...(isLocal && { local: true as const }),
  };
  const isLone = counts.seenBy.failing === 1 && counts.seenBy.of > 1;
  return { finding, settleMs: settleMs(cause, kind, failure, { isHeardSince, isLone }) };
}

/** Makes the id unique by plane and direction: two causes of one kind may have one subject. */
export function distinguish(finding: Finding): Finding {
  const { id, plane = 'both', direction = 'unknown', protocols } = finding;
  return { ...finding, id: `${id}:${plane}:${protocols.join('+')}:${direction}` };
}

interface IdParts {
  readonly node: DiagnosisNode | undefined;
  readonly from: DiagnosisNode | undefined;
  readonly to: DiagnosisNode | undefined;
  readonly zones: readonly string[];
}

function idOf(kind: FindingKind, { subject, mask }: Cause, parts: IdParts): string {
  switch (subject.type) {
    case 'cluster':
      return `${kind}:${planeOf(mask) ?? 'all'}`;
    case 'zones':
      return `${kind}:${[...parts.zones].sort().join(',')}`;
    case 'pair':
      return `${kind}:${[parts.from?.name ?? '', parts.to?.name ?? ''].sort().join(',')}`;
    case 'node': {
      // These kinds do not imply a plane.
      const plane =
        kind === 'icmp-filtered' || kind === 'http-filtered' ? planeOf(mask) : undefined;
      return `${kind}:${parts.node?.name ?? ''}${plane === undefined ? '' : `:${plane}`}`;
    }
  }
}

function directionOf({ ways, reverseWorks, subject }: Cause): Direction | undefined {
  if (subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  if (!reverseWorks) return undefined;
  // The first of a pair is the one whose probes fail. A node's probes fail if the direction is
  // outbound.
  if (subject.type === 'node' || (subject.type === 'zones' && subject.other === undefined)) {
    return ways === 'in' ? 'inbound' : 'outbound';
  }
  return ways === 'in' ? 'outbound' : 'inbound';
}

function tellsAfter({ observations, input }: Facts, node: number, at: number): boolean {
  const observer = observations.observers[observations.observerOf[node] ?? -1];
  return observer !== undefined && input.now - observer.ageS * 1000 > at;
}

/** An observer that fails, and the node that it fails to reach: the next commands use both. */
function endsOf(cause: Cause, paths: readonly ExplainedPath[], { index, observations }: Facts) {
  if (cause.subject.type === 'pair') {
    return { from: index.nodes[cause.subject.from], to: index.nodes[cause.subject.to] };
  }
  const entry = paths[0]?.entry ?? cause.entries[0] ?? -1;
  return {
    from: index.nodes[observations.from[entry] ?? -1],
    to: index.nodes[observations.to[entry] ?? -1],
  };
}

/** The number of observers that see the cause, and of those that look there. */
function seenBy(cause: Cause, { index, observations }: Facts) {
  if (cause.subject.type === 'node' && cause.ways === 'in' && !cause.isPartial) {
    // Each observer has one entry here. There may be thousands of both for each of many causes.
    const { node } = cause.subject;
    let of = 0;
    for (const observer of observations.observers) {
      if (looksAt(index, observer, node, cause.mask)) of++;
    }
    return { failing: cause.entries.length, of };
  }
  const failing = new Set<number>();
  for (const entry of cause.entries) failing.add(observations.from[entry] ?? 0);
  const { subject, mask, ways } = cause;
  let of = 0;
  for (const observer of observations.observers) {
    if (looks(observer)) of++;
  }
  return { failing: failing.size, of: Math.max(of, failing.size) };

  function looks(observer: Observer): boolean {
    if (failing.has(observer.node)) return true;
    const zone = index.zoneOf[observer.node] ?? -1;
    switch (subject.type) {
      case 'cluster':
        return true;
      case 'zones': {
        if (subject.other !== undefined) {
          return zone === subject.zone || (ways === 'both' && zone === subject.other);
        }
        return ways === 'both' || (ways === 'in') !== (zone === subject.zone);
      }
      case 'pair':
        return observer.node === subject.from || (ways === 'both' && observer.node === subject.to);
      case 'node':
        if (observer.node === subject.node) return ways !== 'in';
        return ways !== 'out' && looksAt(index, observer, subject.node, mask);
    }
  }
}

/** The observers other than the node itself, if it sees the same of others. */
function others(cause: Cause, { failing, of }: Finding['seenBy']): Finding['seenBy'] {
  const isOneOfThem = cause.subject.type === 'node' && cause.ways === 'both';
  return isOneOfThem ? { failing: failing - 1, of: of - 1 } : { failing, of };
}

/** The number of nodes that the subject does not reach, and of those that it looks at. */
function targetsOf(cause: Cause, { index, observations }: Facts) {
  const { subject, mask, ways } = cause;
  // The text of a node's finding needs this only for the node's own paths.
  if (subject.type === 'node' && ways !== 'out') return { failing: 0, of: 0 };
  const failing = new Set<number>();
  for (const entry of cause.entries) failing.add(observations.to[entry] ?? 0);
  if (subject.type !== 'node') return { failing: failing.size, of: index.size };
  failing.delete(subject.node);
  const own = observations.observers[observations.observerOf[subject.node] ?? -1];
  let of = 0;
  for (let node = 0; own && node < index.size; node++) if (looksAt(index, own, node, mask)) of++;
  return { failing: failing.size, of: Math.max(of, failing.size) };
}

/** The share of the observed paths that fail. Few paths give a lower confidence. */
function confidenceOf({ paths, contradictions, isPartial, trouble }: Cause): number {
  const share = (paths + 0.5) / (paths + contradictions + 1.5);
  const doubt = isPartial || trouble !== 'broken' ? 0.8 : 1;
  return Math.round(share * doubt * 100) / 100;
}

function settleMs(
  { subject, isWhole, trouble }: Cause,
  kind: FindingKind,
  failure: string | undefined,
  { isHeardSince, isLone }: { readonly isHeardSince: boolean; readonly isLone: boolean },
): number {
  if (trouble === 'lossy') return lossySettleMs;
  if (trouble === 'slow') return slowSettleMs;
  const mayBeRestart =
    (kind === 'agent-down' || kind === 'endpoint-down' || kind === 'http-filtered') &&
    (failure === 'refused' || failure === 'reset');
  if (mayBeRestart) return isHeardSince ? restartedMs : restartMs;
  if (subject.type === 'pair') return partSettleMs;
  if (subject.type === 'node' && isLone) return loneSettleMs;
  return isWhole ? wholeSettleMs : partSettleMs;
}
