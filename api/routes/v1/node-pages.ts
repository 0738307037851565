import type { NodePage } from '../../schema/v1/nodes.js';
import { maxNodes, type NodesQuery } from '../../schema/v1/queries.js';
import type { UnknownZone, V1Source } from './source.js';

/**
 * Returns one page of nodes. A cursor is the last name of the previous page, so it stays valid
 * while nodes come and go. The next page has the nodes past that name that exist by then.
 */
export async function nodePage(
  source: V1Source,
  query: NodesQuery,
  at: string,
): Promise<NodePage | UnknownZone> {
  const { state, zone, name, shows, limit = maxNodes, cursor } = query;
  const afterName = cursor === undefined ? undefined : readCursor(cursor);
  // The extra node tells whether there is a next page.
  const found = await source.nodes({ state, zone, name, shows, afterName, limit: limit + 1 });
  if ('zone' in found) return found;
  const nodes = found.slice(0, limit);
  const last = nodes.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { at, nodes, ...(hasMore && { nextCursor: writeCursor(last.name) }) };
}

const prefix = 'after:';

function writeCursor(name: string): string {
  return Buffer.from(prefix + name).toString('base64url');
}

/** The query schema has checked that the text begins with the prefix. */
function readCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8').slice(prefix.length);
}
