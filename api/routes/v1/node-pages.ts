import type { NodePage } from '../../schema/v1/nodes.js';
import { maxNodes, type NodesQuery } from '../../schema/v1/queries.js';
import type { V1Source } from './source.js';

/**
 * One page of nodes. A cursor is the name that the page before ended with, so it stays valid while
 * nodes come and go: the next page has every node past that name that is there by then.
 */
export async function nodePage(source: V1Source, query: NodesQuery, at: string): Promise<NodePage> {
  const { state, zone, name, limit = maxNodes, cursor } = query;
  const afterName = cursor === undefined ? undefined : readCursor(cursor);
  // One more than fits says whether there is a next page.
  const found = await source.nodes({ state, zone, name, afterName, limit: limit + 1 });
  const nodes = found.slice(0, limit);
  const last = nodes.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { at, nodes, ...(hasMore && { nextCursor: writeCursor(last.name) }) };
}

const prefix = 'after:';

function writeCursor(name: string): string {
  return Buffer.from(prefix + name).toString('base64url');
}

/** The query was checked: the text begins with the prefix. */
function readCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8').slice(prefix.length);
}
