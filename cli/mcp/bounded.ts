import { escapeText } from '../view/escape.js';

const maxTextLength = 2000;
const maxItems = 300;
const maxDepth = 16;

/**
 * A copy of a body that is safe to read: control characters and those that hide or reorder text are
 * shown as escapes. A text has at most 2,000 characters, a list or an object at most 300 entries, in at most 16 levels.
 * What is cut ends in `...`.
 */
export function bounded<Body>(body: Body): Body {
  return copy(body, 0) as Body;
}

/** The same for one text. */
export function boundedText(text: string): string {
  const escaped = escapeText(text.slice(0, maxTextLength + 1));
  return escaped.length > maxTextLength ? `${escaped.slice(0, maxTextLength - 3)}...` : escaped;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => copy(item, depth + 1));
  const entries = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(
    entries.map(([name, item]) => [boundedText(name), copy(item, depth + 1)]),
  );
}
