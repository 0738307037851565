import type { ObservedRow } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { planes } from '../../../agent/model/path.js';
import {
  dnsServers,
  isTargetFault,
  simulatedTargets,
  type TargetFault,
} from '../../faults/target-kinds.js';
import type { Fault, Layout } from '../../faults/fault.js';
import type { Conditions } from './scenarios/conditions.js';
import type { Scenario } from './scenarios/scenario.js';
import { cutOffS, wrongAgainShare } from './target-writer.js';

/** The looks of fresh rows at a target that no fault of paths makes fail, as texts. */
function* looksOf(target: string, rows: Iterable<ObservedRow>, conditions: Conditions) {
  const { names, targets } = conditions;
  if (!targets) return;
  for (const { row, freshness } of rows) {
    if (freshness !== 'fresh') continue;
    const node = names.indexOf(row.observer);
    for (const look of row.targets ?? []) {
      if (look.target !== target) continue;
      const { plane } = look;
      if (cutOffS(conditions, targets, { node, target, plane }) === 0) yield { node, plane, look };
    }
  }
}

/** Which looks of fresh rows fail because of a fault. */
export function failingSlots(
  { targetTrouble: { target, isHit, server } }: TargetFault,
  rows: Iterable<ObservedRow>,
  conditions: Conditions,
): ReadonlySet<string> {
  const slots = new Set<string>();
  for (const { node, plane, look } of looksOf(target, rows, conditions)) {
    const isBad =
      server === undefined
        ? look.state === 'unreachable'
        : (look.failingServers?.includes(server) ?? false);
    if (isBad && isHit(node, plane)) slots.add(`${node} ${plane}`);
  }
  return slots;
}

type Told = Pick<Scenario, 'input' | 'conditions' | 'layout' | 'made'>;

/**
 * The reason, where nobody can know the fault that was made: what was found would look exactly like it,
 * because the rows that would tell them apart are missing or have not looked since; a single look tells
 * of it that may as well be wrong; or a fault of paths explains it too.
 */
export function targetReason(
  told: Told,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  if (missed.length === 0 || !missed.every(isTargetFault)) return undefined;
  if (extra.length === 0 && missed.every(isLikeWrongLook(told))) {
    return 'one look that was hardly repeated looks like a wrong one';
  }
  if (extra.length === 0 && missed.every(isBehindPaths(told))) {
    return 'a fault of paths that was found explains the same looks';
  }
  const { input, conditions, layout } = told;
  if (missed.length !== extra.length) return undefined;
  const isSame = (fault: TargetFault) =>
    extra.some((finding) => looksTheSame(fault, finding, layout, [...input.rows], conditions));
  if (!missed.every(isSame)) return undefined;
  return 'the looks that tell a target of all, of a zone and of a node apart are missing';
}

/** The share of wrong looks over all clusters: half of them have none, the others up to one in 1,000. */
const meanWrongShare = 0.00025;
/** So many wrong looks are to be expected in a cluster where nobody tells them apart. */
const leastExpected = 0.02;

/** Whether a single look tells of a fault, which was repeated so rarely that chance explains it too. */
function isLikeWrongLook({ input, conditions, layout }: Told): (fault: TargetFault) => boolean {
  return (fault) => {
    const rows = [...input.rows];
    const slots = failingSlots(fault, rows, conditions);
    if (slots.size !== 1) return false;
    let agains = 0;
    for (const { node, plane, look } of looksOf(fault.targetTrouble.target, rows, conditions)) {
      if (!slots.has(`${node} ${plane}`) || look.state !== 'unreachable') continue;
      const { intervalS = 5 } = conditions.targets ?? {};
      agains = Math.round((look.ageSeconds - look.probedSeconds) / intervalS);
    }
    const looks = 2 * simulatedTargets.length * layout.names.length;
    return looks * meanWrongShare * wrongAgainShare ** agains >= leastExpected;
  };
}

/** Whether all failing looks are of zones that are cut off, or of the service behind a broken overlay. */
function isBehindPaths({ input, conditions, layout, made }: Told): (fault: TargetFault) => boolean {
  const paths = made.filter((fault) => !isTargetFault(fault));
  const isCut = (node: number) =>
    paths.some(({ what, nodes }) => what.includes('zone') && nodes.includes(node));
  const isOverlayBroken = paths.some(({ what }) => what.startsWith('overlay'));
  return (fault) => {
    if (fault.targetTrouble.target === 'service' && isOverlayBroken) return true;
    const slots = failingSlots(fault, [...input.rows], conditions);
    const nodes = [...layout.names.keys()].filter((node) =>
      planes.some((plane) => slots.has(`${node} ${plane}`)),
    );
    return nodes.every(isCut);
  };
}

function looksTheSame(
  fault: TargetFault,
  finding: Finding,
  { names, zones, zoneOf }: Layout,
  rows: readonly ObservedRow[],
  conditions: Conditions,
): boolean {
  const { target, server } = fault.targetTrouble;
  const [named] = finding.servers ?? [];
  if (finding.target !== target) return false;
  if (named !== (server === undefined ? undefined : dnsServers[server])) return false;
  const failing = failingSlots(fault, rows, conditions);
  const sinceS = fault.targetTrouble.ageS;
  for (const { node, plane, look } of looksOf(target, rows, conditions)) {
    const isNamed =
      (finding.plane === undefined || finding.plane === plane) &&
      (finding.node === undefined || finding.node === names[node]) &&
      (finding.zones === undefined || finding.zones[0] === zones[zoneOf[node] ?? -1]);
    const looked = look.probedSeconds < sinceS;
    if (isNamed !== failing.has(`${node} ${plane}`) && looked) return false;
  }
  return true;
}
