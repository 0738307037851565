import { createHmac, timingSafeEqual } from 'node:crypto';

/** The shortest key, in bytes. */
export const minKeyBytes = 16;

/** While a key is being rotated, two are accepted. */
export const maxKeys = 2;

/** Half of SHA-256's output, which is what RFC 2104 (section 5) allows at the least. */
const macBytes = 16;

/** Signs with the first key, and accepts what any of the keys has signed. */
export class MeshKeys {
  #keys: readonly string[];

  /** @param keys none: nothing is signed, and everything is accepted */
  constructor(keys: readonly string[] = []) {
    this.#keys = keys;
  }

  replace(keys: readonly string[]): void {
    this.#keys = keys;
  }

  get isKeyed(): boolean {
    return this.#keys.length > 0;
  }

  /** The authentication code of a text as base64url, 22 characters; undefined without a key. */
  sign(text: string): string | undefined {
    const [key] = this.#keys;
    return key === undefined ? undefined : mac(key, text).toString('base64url');
  }

  /** Whether the code belongs to the text. Without a key every code is accepted. */
  accepts(text: string, code: string | undefined): boolean {
    if (!this.isKeyed) return true;
    const given = Buffer.from(code ?? '', 'base64url');
    if (given.length !== macBytes) return false;
    return this.#keys.some((key) => timingSafeEqual(mac(key, text), given));
  }
}

/**
 * The keys of a key file: one a line, the one that signs first.
 * @throws RangeError that says what was expected and what was got, without any part of a key
 */
export function parseMeshKeys(text: string): string[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length === 0 || keys.length > maxKeys) {
    throw new RangeError(`expected one or two keys, each on a line of its own, got ${keys.length}`);
  }
  keys.forEach((key, index) => {
    const bytes = Buffer.byteLength(key);
    if (bytes < minKeyBytes) {
      const expected = `a key of at least ${minKeyBytes} bytes`;
      throw new RangeError(`expected ${expected} in line ${index + 1}, got ${bytes} bytes`);
    }
  });
  return keys;
}

function mac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, macBytes);
}
