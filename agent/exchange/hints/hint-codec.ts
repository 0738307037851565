import { maxHintAgeMs, maxHintsPerMessage, type Hint } from './hint.js';

/** The hints of one message take at most this many bytes. */
export const maxHintBytes = 2048;

const letters = {
  plane: { host: 'h', endpoint: 'e' },
  protocol: { icmp: 'i', http: 'g' },
  change: { failure: 'f', recovery: 'r' },
} as const;

/** A name as the node list allows it, with one letter each for plane, protocol, change, and how it is known. */
const pattern =
  /^([A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}):([he])([ig])([fr])([wp])(\d{1,5})$/;

/**
 * Writes hints as text without spaces, as many of the first as fit: `NAME:hifw120` tells that the host plane
 * of NAME failed by ICMP, that its sender is a witness, and that this was 120 milliseconds ago.
 */
export function encodeHints(hints: readonly Hint[]): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const hint of hints.slice(0, maxHintsPerMessage)) {
    const text = encodeHint(hint);
    bytes += text.length + 1;
    if (bytes > maxHintBytes + 1) break;
    texts.push(text);
  }
  return texts.join(',');
}

/** Writes one hint. */
export function encodeHint({ node, plane, protocol, change, isWitness, ageMs }: Hint): string {
  const code = letters.plane[plane] + letters.protocol[protocol] + letters.change[change];
  return `${node}:${code}${isWitness ? 'w' : 'p'}${Math.round(ageMs)}`;
}

/** Reads what `encodeHints` wrote. Undefined if any part is malformed or there is too much. */
export function decodeHints(text: string): Hint[] | undefined {
  if (text === '') return [];
  if (text.length > maxHintBytes) return undefined;
  const parts = text.split(',');
  if (parts.length > maxHintsPerMessage) return undefined;
  const hints: Hint[] = [];
  for (const part of parts) {
    const hint = decodeHint(part);
    if (!hint) return undefined;
    hints.push(hint);
  }
  return hints;
}

function decodeHint(text: string): Hint | undefined {
  const [, node, plane, protocol, change, source, age] = pattern.exec(text) ?? [];
  const ageMs = Number(age);
  if (node === undefined || !(ageMs <= maxHintAgeMs)) return undefined;
  return {
    node,
    plane: plane === 'h' ? 'host' : 'endpoint',
    protocol: protocol === 'i' ? 'icmp' : 'http',
    change: change === 'f' ? 'failure' : 'recovery',
    isWitness: source === 'w',
    ageMs,
  };
}
