import type { Row } from '../../model/row.js';
import { areSameChanges, encodeChanges } from './changes.js';
import { areSameCounts, encodeCounts } from './counts.js';
import { areSameFamilies, encodeFamilies } from './families.js';
import { encodeHead, isSameHead } from './head.js';
import { encodeLarge, isSameLarge } from './large.js';
import { encodeList, isSameList } from './list.js';
import { areSameNotices, encodeNotices } from './notices.js';
import { areSamePaths, encodePaths } from './paths.js';
import { areSameSigns, encodeSigns } from './signs.js';
import { areSameSweeps, encodeSweeps } from './sweeps.js';
import { areSameTargets, encodeTargets } from './targets.js';
import { areSameZones, encodeZones } from './zones.js';

/** The largest row, as text. */
export const maxRowBytes = 8192;

/**
 * Writes a row as JSON of at most `maxRowBytes`. If its nodes do not fit, those with the highest hashes are left out and
 * counted, and those that are named by their zone last.
 */
export function encodeRow(row: Row): string {
  const {
    sweeps = [],
    families = [],
    targets = [],
    signs = [],
    notices = [],
    changes = [],
    large,
    list,
    namedByZone = [],
  } = row;
  const all = encodePaths(row);
  const isByZone = new Set(namedByZone);
  const [byHash, byZone]: [string[], string[]] = [[], []];
  for (const node of all) (isByZone.has(node[0]) ? byZone : byHash).push(JSON.stringify(node));
  const rest = JSON.stringify({
    ...(targets.length > 0 && { targets: encodeTargets(targets) }),
    ...(large && { large: encodeLarge(large) }),
    ...(sweeps.length > 0 && { sweeps: encodeSweeps(sweeps) }),
    ...(families.length > 0 && { families: encodeFamilies(families) }),
    ...(signs.length > 0 && { signs: encodeSigns(signs) }),
    ...(notices.length > 0 && { notices: encodeNotices(notices) }),
    ...(changes.length > 0 && { changes: encodeChanges(changes) }),
    zones: encodeZones(row.zones),
  });
  for (;;) {
    const head = JSON.stringify({
      ...encodeHead(row, row.omittedNodes + all.length - byHash.length - byZone.length),
      counts: encodeCounts(row.counts),
      ...(list && { list: encodeList(list) }),
    });
    const further = byZone.length > 0 ? `,"namedByZone":[${byZone.join(',')}]` : '';
    const text = `${head.slice(0, -1)},${rest.slice(1, -1)},"nodes":[${byHash.join(',')}]${further}}`;
    const excess = Buffer.byteLength(text) - maxRowBytes;
    const dropped = byHash.length > 0 ? byHash : byZone;
    if (excess <= 0 || dropped.length === 0) return text;
    for (let cut = 0; cut < excess && dropped.length > 0;) cut += (dropped.pop()?.length ?? 0) + 1;
  }
}

/** Whether two rows tell a reader the same: ages and small moves of RTTs are no change. */
export function tellsTheSame(before: Row, after: Row): boolean {
  return (
    isSameHead(before, after) &&
    areSameCounts(before.counts, after.counts) &&
    areSameSweeps(before.sweeps, after.sweeps) &&
    areSameFamilies(before.families, after.families) &&
    isSameList(before.list, after.list) &&
    areSamePaths(before, after) &&
    areSameZones(before.zones, after.zones) &&
    areSameTargets(before.targets, after.targets) &&
    isSameLarge(before.large, after.large) &&
    areSameSigns(before.signs, after.signs) &&
    areSameNotices(before.notices, after.notices) &&
    areSameChanges(before.changes, after.changes)
  );
}
