import { createHmac } from 'node:crypto';
import type { Notice } from '../notice.js';
import type { PostRequest } from './post.js';
import type { ReceiverSecrets } from './secrets.js';

/**
 * The request for a webhook: our JSON, and with a secret a signature over the time and the body.
 * @param seconds since the epoch
 */
export function webhookPost(
  notice: Notice,
  { url, secret, headers, ca }: ReceiverSecrets,
  seconds: number,
): PostRequest {
  const { id, event, cluster, finding, storm, durationSeconds, openings, verdict, at, by } = notice;
  const news = { id, event, cluster, finding, storm, durationSeconds, openings };
  const body = JSON.stringify({ version: 1, ...news, verdict, at, by });
  return {
    url,
    ca,
    body,
    headers: [
      ...['content-type', 'application/json', 'meshprobe-timestamp', String(seconds)],
      ...(secret === undefined ? [] : ['meshprobe-signature', signature(secret, seconds, body)]),
      ...headers,
    ],
  };
}

/** `v1=` and the hex of HMAC-SHA256 over `timestamp.body`. */
export function signature(secret: string, seconds: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
