import { ConfigError } from './errors.js';
import { readRegularFile } from './read-regular-file.js';

/** Names and values, one after the other, as the HTTP client takes them. */
export type HeaderList = readonly string[];

const maxBytes = 16 * 1024;
const maxHeaders = 32;
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
/** Those are between the client and the server, and the client sends them itself. */
const refused = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads a file of `Name: value` lines; empty lines and lines that begin with # do not count. No error
 * shows what is in the file.
 * @throws Error where it cannot be read or is not valid
 */
export function readHeadersFile(path: string): HeaderList {
  const headers: string[] = [];
  for (const [index, line] of readRegularFile(path, maxBytes).split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(colon, 0));
    const value = text.slice(colon + 1).trim();
    const place = `line ${index + 1}`;
    if (!token.test(name)) throw new ConfigError(`${place}: expected a header as Name: value`);
    if (refused.has(name.toLowerCase())) {
      throw new ConfigError(`${place}: expected a header that is not the connection's own`);
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new ConfigError(`${place}: expected a value of characters that a header may have`);
    }
    headers.push(name, value);
  }
  if (headers.length <= 2 * maxHeaders) return headers;
  throw new ConfigError(`expected at most ${maxHeaders} headers, got ${headers.length / 2}`);
}
