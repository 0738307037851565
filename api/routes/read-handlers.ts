import type { Context } from 'hono';
import { historyQuerySchema, type History } from '../schema/history.js';
import { statusQuerySchema } from '../schema/status.js';
import type { ThroughputTests } from '../schema/v1/throughput.js';
import { readQuery } from './read-query.js';
import { sharedBody } from './send-bodies.js';
import type { V1Source } from './v1/source.js';
import { isUnknownName, unknownNameText } from './v1/unknown-name.js';

export interface StatusText {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export interface StatusOptions {
  /** If true, the body holds everything known now. If not, it may be some milliseconds old. */
  readonly fresh?: boolean;
  /** If true, each path has only what `meshprobe status` prints. */
  readonly isBrief?: boolean;
}

/** The source of all reads. */
export interface ReadSource {
  /** The status as JSON, and a tag that changes with it. */
  readonly status: (options?: StatusOptions) => StatusText | Promise<StatusText>;
  /** The last probes of a node's paths; undefined if there is no such node. */
  readonly history: (node: string) => History | undefined;
  /** The source of `/v1`, about the whole cluster. Without it there is no `/v1`. */
  readonly v1?: V1Source;
  /** The last throughput tests of this agent. Without it there is no such path. */
  readonly throughputTests?: () => ThroughputTests;
}

/** Answers with the status, or with 304 if the client already has it. */
export async function sendStatus(
  context: Context,
  source: ReadSource,
  { fresh = false } = {},
): Promise<Response> {
  const { brief } = readQuery(context, statusQuerySchema);
  const { body, etag } = await source.status({ fresh, isBrief: brief === 'true' });
  const headers = { etag, 'content-type': 'application/json', 'cache-control': 'no-cache' };
  // Compression makes the tag weak. If-None-Match compares weakly (RFC 9110, 13.1.2).
  const known = context.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  const isRead = ['GET', 'HEAD'].includes(context.req.method);
  if (isRead && (known?.includes(etag) || known?.includes('*'))) {
    return context.body(null, 304, headers);
  }
  return sharedBody(context, body, headers);
}

/** Answers with the history of the node that the query names. */
export async function sendHistory(context: Context, source: ReadSource): Promise<Response> {
  const { node: name } = readQuery(context, historyQuerySchema);
  const history = source.history(name);
  if (history) return context.json(history);
  const known = await source.v1?.node(name);
  const nearest = known && isUnknownName(known) ? known.nearest : undefined;
  return context.json(unknownNameText('node', name, { nearest }), 404);
}
