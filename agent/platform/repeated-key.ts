/** The place of a key that its object already had. */
export interface RepeatedKey {
  /** As in `nodes[3].host`. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

interface Level {
  /** The keys so far; undefined for a list. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
}

const quotationMark = 0x22;
const comma = 0x2c;
const [openList, closeList] = [0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];
const backslash = 0x5c;

/**
 * Finds the first repeated key of an object; JSON.parse would silently use the last one.
 * @param text JSON that JSON.parse has taken: nothing is checked again
 */
export function findRepeatedKey(text: string): RepeatedKey | undefined {
  const levels: Level[] = [];
  let awaitsKey = false;
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case quotationMark: {
        const end = endOfString(text, at);
        if (awaitsKey && level?.keys) {
          level.key = keyFrom(text, at, end);
          if (level.keys.has(level.key)) return { path: pathOf(levels), line: lineAt(text, at) };
          level.keys.add(level.key);
          awaitsKey = false;
        }
        at = end;
        break;
      }
      case openObject:
        levels.push({ keys: new Set(), key: '', index: 0 });
        awaitsKey = true;
        break;
      case openList:
        levels.push({ keys: undefined, key: '', index: 0 });
        break;
      case closeObject:
      case closeList:
        levels.pop();
        awaitsKey = false;
        break;
      case comma:
        if (level?.keys) awaitsKey = true;
        else if (level) level.index++;
    }
  }
  return undefined;
}

/** Where the closing quotation mark is: the next one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Two spellings of a key are one. */
function keyFrom(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, key, index }, depth) =>
      keys === undefined ? `[${index}]` : `${depth === 0 ? '' : '.'}${key}`,
    )
    .join('');
}

function lineAt(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
