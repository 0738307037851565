import { paddingHeader } from '../../model/hello-headers.js';
import { parseHttpFields } from '../../platform/http-fields.js';

/** One request as the responder reads it. Header names are in lower case; a body is never read. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
}

/** A head of more bytes than this is refused: 8 KiB of headers and room for the request line. */
export const maxHeadBytes = 9 * 1024;

/** The most padding that a GET may carry, and that is answered. */
export const maxPaddingBytes = 16 * 1024;
/** A head with padding may have as many bytes. */
export const maxPaddedHeadBytes = maxHeadBytes + maxPaddingBytes;

const paddingLine = `\r\n${paddingHeader}: `;

/** Whether the beginning of a head has the header of padding. */
export function beginsPadding(head: string): boolean {
  return head.startsWith('GET /hello ') && head.includes(paddingLine);
}

const requestLine = /^([A-Z]+) ([\x21-\x7e]+) HTTP\/1\.[01]$/;

/**
 * Reads the lines of a request up to the empty one (RFC 9112, section 3); undefined where they are no request
 * of HTTP/1.0 or 1.1.
 */
export function parseRequestHead(head: string): Request | undefined {
  const lines = head.split('\r\n');
  const [, method, path] = requestLine.exec(lines[0] ?? '') ?? [];
  if (method === undefined || path === undefined) return undefined;
  const headers = parseHttpFields(lines.slice(1));
  return headers && { method, path, headers };
}
