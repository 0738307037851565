import { HTTPException } from 'hono/http-exception';
import type { NodePage } from '../../schema/v1/nodes.js';
import { maxNodes, type NodesQuery } from '../../schema/v1/queries.js';
import type { V1Source } from './source.js';

/**
 * One page of nodes. A cursor is the name that the page before ended with, so it stays valid while
 * nodes come and go: the next page has every node past that name that is there by then.
 * @throws HTTPException with status 400 where the cursor is none of ours
 */
export function nodePage(source: V1Source, query: NodesQuery, at: string): NodePage {
  const { state, zone, name, limit = maxNodes, cursor } = query;
  const afterName = cursor === undefined ? undefined : readCursor(cursor);
  // One more than fits says whether there is a next page.
  const found = source.nodes({ state, zone, name, afterName, limit: limit + 1 });
  const nodes = found.slice(0, limit);
  const last = nodes.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { at, nodes, ...(hasMore && { nextCursor: writeCursor(last.name) }) };
}

const prefix = 'after:';

function writeCursor(name: string): string {
  return Buffer.from(prefix + name).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  const got = JSON.stringify(cursor.slice(0, 100));
  throw new HTTPException(400, {
    message: `cursor: expected the nextCursor of the page before, got ${got}`,
  });
}
