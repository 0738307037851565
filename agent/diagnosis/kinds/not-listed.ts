import { describeUnlisted } from '../../model/unlisted-node.js';
import type { Candidate } from '../nouns/finding.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { aloneFinding, type AloneKind } from './alone.js';
import { written } from './command.js';

/** The agent's own node is not in the list: the others refuse it, and it learns nothing from them. */
export const notListed: AloneKind = {
  kind: 'not-listed',
  severity: 'degraded',
  isAboutAgent: true,
  isKnownAtHomeAlone: true,
  // A node may be listed a little later than its agent starts.
  waitsMs: 5000,
};

/** The finding of an agent whose own node is not in the list; undefined if it is, or if there is no list. */
export function notListedFinding(input: DiagnosisInput): Candidate | undefined {
  const { index, localName, now, previous, namespace } = input;
  const { kind } = notListed;
  const isListed = index.listed.has(localName);
  if (isListed || index.listed.size === 0) return undefined;
  const inCluster = namespace !== undefined;
  return aloneFinding(notListed, input, previous?.memory.get(kind)?.sinceMs ?? now, {
    id: kind,
    confidence: 1,
    text: `${describeUnlisted(localName, index.listed)}, so the other agents do not talk to it`,
    next: written([
      inCluster ? 'kubectl get nodes -o wide' : undefined,
      'hostname',
      'hostname --fqdn',
    ]),
    local: true,
  });
}
