import { fullShare } from '../../model/row-host.js';
import type { ObservedRow, Row } from '../../model/row.js';
import type { FlowPath } from './flow-results.js';

/**
 * The paths whose flows are tested: those by HTTP that answer and lose probes, or come and go. Where the table of connections
 * is full at one end, flows that have a place in it always pass and others never: that is no path of several.
 * @param returning the paths that come and go
 * @param others what other agents tell
 */
export function lossyPaths(
  own: Pick<Row, 'paths' | 'signs'>,
  returning: Iterable<FlowPath>,
  others: () => Iterable<ObservedRow>,
): FlowPath[] {
  if (hasFullTable(own)) return [];
  const lossy: FlowPath[] = [];
  const back = new Map([...returning].map((path) => [`${path.node} ${path.plane}`, path]));
  // The row of an agent that starts has all paths.
  for (const path of own.paths) {
    if (path.protocol !== 'http') continue;
    if (path.state === 'lossy') lossy.push(path);
    // What the row does not name answers.
    if (back.size > 0) back.delete(`${path.node} ${path.plane}`);
  }
  const all = [...lossy, ...back.values()];
  if (all.length === 0) return all;
  const full = new Set<string>();
  for (const { row, tellsOfHost } of others()) {
    if (tellsOfHost && hasFullTable(row)) full.add(row.observer);
  }
  return all.filter(({ node }) => !full.has(node));
}

function hasFullTable({ signs = [] }: Pick<Row, 'signs'>): boolean {
  return signs.some(
    ({ sign, value, limit }) =>
      sign === 'conntrack-drops' || (sign === 'conntrack-full' && value >= fullShare * limit),
  );
}
