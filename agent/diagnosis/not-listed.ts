import { isoTime, type DiagnosisInput } from './nouns/diagnosis-input.js';
import type { Candidate } from './nouns/candidate.js';
import type { Finding } from './nouns/finding.js';
import { describeUnlisted } from '../model/unlisted-node.js';
import { nextCommands } from './commands.js';

/** A node may be listed a little later than its agent starts. */
const settleMs = 5000;

/**
 * The finding of an agent whose own node is not in the list: the others refuse it, and it learns
 * nothing from them.
 */
export function notListed(input: DiagnosisInput): Candidate | undefined {
  const { index, localName, now, previous } = input;
  const id = 'not-listed';
  const isListed = index.listed.has(localName);
  if (isListed || index.listed.size === 0) return undefined;
  const sinceMs = previous?.memory.get(id)?.sinceMs ?? now;
  const finding: Finding = {
    id,
    kind: 'not-listed',
    severity: 'degraded',
    protocols: [],
    since: isoTime(input, sinceMs),
    seenBy: { failing: 1, of: 1 },
    explains: 0,
    confidence: 1,
    text: `${describeUnlisted(localName, index.listed)}, so the other agents do not talk to it`,
    next: nextCommands({
      kind: id,
      to: undefined,
      from: undefined,
      isEverywhere: false,
      probePort: input.probePort,
      namespace: input.namespace,
    }),
    evidence: [],
    local: true,
  };
  return { finding, sinceMs, settleMs, causes: [], explained: [] };
}
