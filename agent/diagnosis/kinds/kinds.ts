import type { Trouble } from '../nouns/cause.js';
import type { Severity } from '../nouns/finding.js';
import { addressFamily } from './address-family.js';
import { agentDown } from './agent-down.js';
import { endpointDown } from './endpoint-down.js';
import { endpointPlane } from './endpoint-plane.js';
import { group } from './group.js';
import { hostSign } from './host-sign.js';
import { hostPlane } from './host-plane.js';
import { httpFiltered } from './http-filtered.js';
import { icmpFiltered } from './icmp-filtered.js';
import type { Kind, Marks, PathKind, TargetKind } from './kind.js';
import { lossy } from './lossy.js';
import { mtu } from './mtu.js';
import { nodeDown } from './node-down.js';
import { nodeIsolated } from './node-isolated.js';
import { notListed } from './not-listed.js';
import { observersMissing } from './observers-missing.js';
import { pair } from './pair.js';
import { slow } from './slow.js';
import { targetDown } from './target-down.js';
import { targetLossy } from './target-lossy.js';
import { targetSlow } from './target-slow.js';
import { targetUnreachable } from './target-unreachable.js';
import { zones } from './zones.js';

// The one list of the kinds of findings in the agent. Each is a file of this folder.

/** Of each cause of paths exactly one applies. */
export const pathKinds: readonly PathKind[] = [
  nodeDown,
  nodeIsolated,
  agentDown,
  endpointDown,
  hostPlane,
  endpointPlane,
  icmpFiltered,
  httpFiltered,
  zones,
  pair,
  lossy,
  slow,
  mtu,
  group,
];

/** Of each cause about a target exactly one applies. */
export const targetKinds: readonly TargetKind[] = [
  targetDown,
  targetUnreachable,
  targetSlow,
  targetLossy,
];

/** All of them: the last ones are looked for by themselves. */
export const kinds: readonly Kind[] = [
  ...pathKinds,
  ...targetKinds,
  addressFamily,
  notListed,
  observersMissing,
  hostSign,
];

/** The names of the kinds with a mark. */
export function kindsThat(mark: keyof Marks): ReadonlySet<string> {
  return new Set(kinds.filter((one) => one[mark]).map(({ kind }) => kind));
}

/**
 * The one of some kinds that applies to a cause.
 * @throws {RangeError} if none does, which is a bug
 */
export function kindOf<Sight, One extends { readonly applies: (sight: Sight) => boolean }>(
  some: readonly One[],
  sight: Sight,
): One {
  const kind = some.find(({ applies }) => applies(sight));
  if (!kind) throw new RangeError('expected a kind for the cause, got none');
  return kind;
}

/** What does not work is broken, and what works and not as it should is degraded. */
export function severityOf(trouble: Trouble): Severity {
  return trouble === 'broken' ? 'broken' : 'degraded';
}

/** The rule of deploy/alerts/meshprobe.rules.yaml that tells of findings of a kind, or the one for kinds without their own. */
export function alertNameOf(finding: {
  readonly kind: string;
  readonly severity: Severity;
}): string {
  const { kind, severity } = finding;
  const ofOthers = severity === 'broken' ? 'MeshprobePathsBroken' : 'MeshprobeDegraded';
  return kinds.find((one) => one.kind === kind)?.alerts?.[severity] ?? ofOthers;
}
