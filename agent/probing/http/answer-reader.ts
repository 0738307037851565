import type { FailureKind } from '../../model/failure.js';
import { parseHttpFields } from '../../platform/http-fields.js';

export const maxHeaderBytes = 8 * 1024;
export const maxBodyBytes = 64 * 1024;
/** The longest line of a chunked body: a size in hexadecimal with its extensions, or a trailer. */
const maxChunkLineBytes = 256;

/** Why an answer is none. */
export interface AnswerFault {
  readonly kind: FailureKind;
  readonly detail: string;
}

const notHttp: AnswerFault = { kind: 'protocol', detail: 'the answer is not HTTP' };
const headTooLarge: AnswerFault = {
  kind: 'too-large',
  detail: `answer headers larger than ${maxHeaderBytes} bytes`,
};
const bodyTooLarge: AnswerFault = {
  kind: 'too-large',
  detail: `answer larger than ${maxBodyBytes} bytes`,
};
const cutShort: AnswerFault = {
  kind: 'reset',
  detail: 'connection closed by peer before the answer was complete',
};

const statusLine = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const chunkSizeLine = /^([0-9a-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const versionStart = 'HTTP/1.';
const headEnd = '\r\n\r\n';

/** What comes next of an answer. */
type Part = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'trailer';

/** Reads one answer of HTTP/1.0 or 1.1 (RFC 9112), piece by piece as it arrives. */
export class AnswerReader {
  /** 0 until the head has arrived. */
  status = 0;
  headers: ReadonlyMap<string, string> = new Map();
  body = '';
  #part: Part = 'head';
  /** What has arrived and was not used yet. */
  #rest = '';
  #headBytes = 0;
  #bodyBytes = 0;
  /** How much of the body, or of the chunk with its line end, is to come. */
  #left = 0;

  /** Whether nothing has arrived yet. */
  get isUnused(): boolean {
    return this.#part === 'head' && this.#rest === '' && this.#headBytes === 0;
  }

  /** Takes what has arrived, as latin1: true once the answer is complete. */
  take(text: string): boolean | AnswerFault {
    if (this.#part !== 'head') this.#bodyBytes += text.length;
    this.#rest += text;
    for (;;) {
      const found = this.#part === 'head' ? this.#readHead() : this.#readBody();
      if (this.#bodyBytes > maxBodyBytes) return bodyTooLarge;
      if (found !== 'next') return found;
    }
  }

  /** The peer has closed the connection, and the answer was not complete: undefined if it is so now. */
  close(): AnswerFault | undefined {
    return this.#part === 'until-close' ? undefined : cutShort;
  }

  #readHead(): boolean | AnswerFault | 'next' {
    const text = this.#rest;
    if (!text.startsWith(versionStart) && !versionStart.startsWith(text)) return notHttp;
    const end = text.indexOf(headEnd);
    const bytes = end === -1 ? text.length : end + headEnd.length;
    if (this.#headBytes + bytes > maxHeaderBytes) return headTooLarge;
    if (end === -1) return false;
    this.#headBytes += bytes;
    this.#rest = text.slice(bytes);
    const [first = '', ...lines] = text.slice(0, end).split('\r\n');
    const status = Number(statusLine.exec(first)?.[1]);
    const headers = parseHttpFields(lines);
    if (!(status > 0) || !headers) return notHttp;
    // An interim answer: the final one follows (RFC 9110, section 15.2).
    if (status < 200 && status !== 101) return 'next';
    this.status = status;
    this.headers = headers;
    this.#bodyBytes = this.#rest.length;
    return this.#expectBody();
  }

  /** How the body ends (RFC 9112, section 6.3). */
  #expectBody(): boolean | AnswerFault | 'next' {
    const length = this.headers.get('content-length');
    const coding = this.headers.get('transfer-encoding')?.toLowerCase();
    if (length !== undefined && (coding !== undefined || !/^\d{1,15}$/.test(length)))
      return notHttp;
    if (this.status === 101 || this.status === 204 || this.status === 304) return true;
    if (coding === undefined) {
      this.#left = Number(length ?? Infinity);
      this.#part = length === undefined ? 'until-close' : 'sized';
      if (this.#left > maxBodyBytes && length !== undefined) return bodyTooLarge;
    } else this.#part = /(?:^|[\t ,])chunked$/.test(coding) ? 'chunk-size' : 'until-close';
    return 'next';
  }

  #readBody(): boolean | AnswerFault | 'next' {
    if (this.#part === 'chunk-size' || this.#part === 'trailer') return this.#readChunkLine();
    const isMoved = this.#readSome();
    if (this.#part !== 'chunk') return isMoved;
    if (!isMoved) return false;
    if (!this.body.endsWith('\r\n')) return notHttp;
    this.body = this.body.slice(0, -2);
    this.#part = 'chunk-size';
    return 'next';
  }

  /** Moves what there is of the body: true once nothing of it is to come. */
  #readSome(): boolean {
    const text = this.#rest.slice(0, this.#left);
    this.body += text;
    this.#rest = this.#rest.slice(text.length);
    this.#left -= text.length;
    return this.#left === 0;
  }

  #readChunkLine(): boolean | AnswerFault | 'next' {
    const end = this.#rest.indexOf('\r\n');
    if (end > maxChunkLineBytes || (end === -1 && this.#rest.length > maxChunkLineBytes))
      return notHttp;
    if (end === -1) return false;
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 2);
    if (this.#part === 'trailer') return line === '' || 'next';
    const size = parseInt(chunkSizeLine.exec(line)?.[1] ?? '', 16);
    if (Number.isNaN(size)) return notHttp;
    this.#part = size === 0 ? 'trailer' : 'chunk';
    this.#left = size + 2;
    return 'next';
  }
}
