import { countOf } from '../../model/count-of.js';
import type { Row } from '../../model/row.js';
import type { Candidate } from '../nouns/finding.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import { aloneFinding, type AloneKind } from './alone.js';
import { get, listeners, podsOf, written } from './command.js';
import { manyFields } from './fold.js';

/** So many agents are named in the sentence. */
const mostNamed = 5;
/** So many of them are evidence. */
const mostEvidence = 10;

/** Agents whose host answers although their row is stale or never came, where no other finding explains it. */
export const observersMissing: AloneKind = {
  kind: 'observers-missing',
  severity: 'degraded',
  isAboutAgent: true,
  waitsMs: 5000,
};

/** An agent whose row is overdue. */
export interface MissingObserver {
  readonly node: DiagnosisNode;
  readonly sinceMs: number;
  /** No row ever came. */
  readonly isSilent: boolean;
  /** Its port answers as it answers a stranger. */
  readonly isPlain: boolean;
}

/** One of them at least, the one that is missing longest first. */
export type MissingObservers = readonly [MissingObserver, ...MissingObserver[]];

/** The finding of agents whose rows are missing, while most other rows come. */
export function missingFinding(input: DiagnosisInput, missing: MissingObservers): Candidate {
  const { probePort, namespace } = input;
  const all = missing.map(({ node }) => node.name);
  const named = all.slice(0, mostNamed);
  const rest = missing.length - named.length;
  const names = `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const isOne = missing.length === 1;
  const silent = missing.filter(({ isSilent }) => isSilent).length;
  const how =
    silent === missing.length
      ? `never told what ${isOne ? 'it sees' : 'they see'}`
      : silent === 0
        ? `no longer ${isOne ? 'tells what it sees' : 'tell what they see'}`
        : 'do not tell what they see';
  const agents = isOne ? `the agent of ${names}` : `${missing.length} agents (${names})`;
  // Who told before and answers now as it answers a stranger may be somebody else.
  const isOther = missing.every(({ isPlain, isSilent: never }) => isPlain && !never);
  const though = isOther
    ? `; what answers at ${isOne ? 'its port' : 'their ports'} tells nothing, as another program, another host with that address or an agent that refuses this one would`
    : `, though ${isOne ? 'its host answers' : 'their hosts answer'}`;
  const next = missing
    .slice(0, 3)
    .flatMap(({ node }) => [
      podsOf({ to: node, namespace }),
      get(node.host[0], probePort),
      ...(isOther && isOne ? [listeners(node.host[0], probePort)] : []),
    ]);
  const candidate = aloneFinding(observersMissing, input, missing[0].sinceMs, {
    id: observersMissing.kind,
    ...(isOne ? { node: names } : manyFields(all)),
    plane: 'host',
    protocols: ['http'],
    text: `${agents} ${how}${though}`,
    next: written(next),
    evidence: missing.slice(0, mostEvidence).map(({ node, sinceMs: from, isSilent, isPlain }) => ({
      from: input.localName,
      to: node.name,
      plane: 'host',
      protocol: 'http',
      failure: isSilent
        ? 'no row ever came'
        : isPlain
          ? 'it answers without a row'
          : 'the row is stale',
      since: isoTime(input, from),
    })),
  });
  return { ...candidate, nodes: all };
}

/**
 * An agent that misses more rows than it gets, though those hosts answer it, names itself and none of them: rows
 * are most likely kept from it for one reason, such as its own address or its key.
 */
export function noRowsFinding(
  input: DiagnosisInput,
  missing: MissingObservers,
  fresh: number,
): Candidate {
  const isOne = missing.length === 1;
  const of = fresh > 0 ? ` of ${missing.length + fresh}` : '';
  const whose = isOne
    ? `the agent of ${missing[0].node.name}`
    : `${missing.length}${of} other agents`;
  const orOther = missing.every(({ isPlain }) => isPlain)
    ? `, or something else answers at ${isOne ? 'its' : 'their'} port ${input.probePort}, such as a proxy`
    : '';
  return aloneFinding(observersMissing, input, missing[0].sinceMs, {
    id: `${observersMissing.kind}:rows`,
    node: input.localName,
    plane: 'host',
    protocols: ['http'],
    text: `${input.localName} gets no row of ${whose}, though ${isOne ? 'its host answers' : 'their hosts answer'} it: ${isOne ? 'it' : 'they'} may have another mesh key (--mesh-key-file) or --mesh off, or not know the address that its packets come from (--mesh-source there, or one more host address of this node in the node list)${orOther}`,
    next: ['meshprobe get', 'ip -brief address'],
    local: true,
  });
}

/** The finding of an agent that was starved: its silence is not health either. Undefined if it was not, or if it sees nothing fail. */
export function starvedFinding(
  input: DiagnosisInput,
  { paths, targets = [], health }: Row,
): Candidate | undefined {
  if (!health.starved) return undefined;
  const isFailing = ({ state }: { readonly state: string }) => state === 'unreachable';
  const [failing, failingTargets] = [paths.filter(isFailing), targets.filter(isFailing)];
  const all = [...failing, ...failingTargets];
  if (all.length === 0) return undefined;
  const counts = [
    { count: failing.length, noun: 'failing path' },
    { count: new Set(failingTargets.map(({ target }) => target)).size, noun: 'failing target' },
  ].filter(({ count }) => count > 0);
  const isOne = counts.length === 1 && counts[0]?.count === 1;
  const what = counts.map(({ count, noun }) => (isOne ? noun : countOf(count, noun))).join(' and ');
  const oldestS = all.reduce((oldest, { ageSeconds }) => Math.max(oldest, ageSeconds), 0);
  return aloneFinding(observersMissing, input, input.now - 1000 * oldestS, {
    id: `${observersMissing.kind}:${input.localName}`,
    node: input.localName,
    protocols: ['icmp', 'http'],
    explains: all.length,
    text: `the agent of ${input.localName} gets too little CPU time, so the ${what} that it sees ${isOne ? 'does' : 'do'} not count`,
    next: ['uptime', 'meshprobe get'],
    local: true,
  });
}
