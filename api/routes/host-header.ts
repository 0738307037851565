import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';

export interface HostHeaderOptions {
  /** Names that are accepted beside IP addresses and localhost, in lower case. */
  readonly allowedNames?: readonly string[];
  /** If true, a request without a Host header, or with an empty one, is answered too. */
  readonly mayBeMissing?: boolean;
  /** What the refusal says was expected. */
  readonly expected: string;
}

/**
 * Answers 421 unless the Host header is an IP address, localhost or an allowed name, with or
 * without a port. A page that resolved its own name to this listener (DNS rebinding) gets nothing.
 */
export function requireKnownHost(options: HostHeaderOptions): MiddlewareHandler {
  const { allowedNames = [], mayBeMissing = false, expected } = options;
  const names = new Set(['localhost', ...allowedNames]);
  return async (context, next) => {
    const header = context.req.header('host') ?? '';
    if (header === '' ? mayBeMissing : isKnownHost(header, names)) return next();
    const got = JSON.stringify(header.slice(0, 100));
    return context.json(`expected ${expected} as the Host header, got ${got}`, 421);
  };
}

function isKnownHost(header: string, names: ReadonlySet<string>): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(header) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  // A name may end with the dot of the root, and case does not matter (RFC 9110, 4.2.3).
  return isIP(plain) === 4 || names.has(plain.toLowerCase().replace(/\.$/, ''));
}
