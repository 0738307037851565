import type { FindingKind } from '../diagnosis/nouns/finding.js';
import { escapeControls } from '../platform/format-value.js';

/** The most bytes of a condition's message (metav1.Condition), and of an Event's note. */
export const longestMessage = 32 << 10;
export const longestNote = 1024;

/**
 * A kind as Kubernetes wants a reason: `node-down` becomes `NodeDown`, which matches
 * `[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?` and is shorter than 128 characters.
 */
export function reasonOf(kind: FindingKind): string {
  return kind.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A text without control characters, cut between characters to at most so many bytes of UTF-8. */
export function boundText(text: string, mostBytes: number): string {
  const escaped = escapeControls(text, mostBytes);
  if (Buffer.byteLength(escaped) <= mostBytes) return escaped;
  const mark = '…';
  const room = mostBytes - Buffer.byteLength(mark);
  let [bytes, end] = [0, 0];
  for (const character of escaped) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    end += character.length;
  }
  return escaped.slice(0, end) + mark;
}

/** RFC 3339 with whole seconds, as Kubernetes writes the times of conditions. */
export function wholeSeconds(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** RFC 3339 with microseconds, as Kubernetes writes the times of Events. */
export function microseconds(atMs: number): string {
  return new Date(atMs).toISOString().replace(/Z$/, '000Z');
}
