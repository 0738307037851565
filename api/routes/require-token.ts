import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';

/**
 * Answers 401 unless the request carries the token as `Authorization: Bearer TOKEN` (RFC 6750). The
 * comparison always takes the same time.
 * @param token gives the token as it is now
 */
export function requireToken(token: () => Promise<string>): MiddlewareHandler {
  return async (context, next) => {
    const [, given = ''] =
      /^Bearer +([^ ]+) *$/i.exec(context.req.header('authorization') ?? '') ?? [];
    if (timingSafeEqual(digest(given), digest(await token()))) return next();
    return context.json('expected the API token: Authorization: Bearer TOKEN', 401, {
      'www-authenticate': 'Bearer realm="meshprobe"',
      'cache-control': 'no-store',
    });
  };
}

/** All digests have the same length, so the time tells nothing about the token's length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
