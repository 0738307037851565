import { createHash } from 'node:crypto';

/** The same few texts are asked for each second. */
const known = new Map<string, number>();
const mostKnown = 1000;

/** 48 bits of a text, as a whole number: receivers and findings are told of in rows by it. */
export function digestOf(text: string): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const digest = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  if (known.size >= mostKnown) known.clear();
  known.set(text, digest);
  return digest;
}

/** The key of a storm of findings, among those of findings. */
export const stormKey = 'storm';
