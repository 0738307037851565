import { isoTime, type Candidate } from './build-finding.js';
import type { DiagnosisInput } from './diagnosis-input.js';
import type { Finding } from './finding.js';
import { nearestName } from '../model/nearest-name.js';

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
  const nearest = nearestName(localName, index.listed);
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
    text: `this agent's node ${localName} is not in the node list${
      nearest === undefined ? '' : `; the nearest name there is ${nearest}`
    } (--node-name), so the other agents do not talk to it`,
    next: ['meshprobe get', 'meshprobe status --succinct'],
    evidence: [],
    local: true,
  };
  return { finding, sinceMs, settleMs, causes: [], explained: [] };
}
