import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { ConfigError } from './errors.js';
import { parseYaml } from './read-yaml.js';

/**
 * The same mistake with the line and the column of its place in the text of the file, YAML or JSON. A place that the text
 * does not have, as of a missing key, is told as that of the mapping or list around it.
 */
export function withPosition(error: ConfigError, text: string): ConfigError {
  const position = error.place === undefined ? undefined : positionOf(error.place, text);
  if (!position) return error;
  const { line, column } = position;
  return new ConfigError(`${error.message} (line ${line}, column ${column})`);
}

/**
 * Calls a reader of the text of a file.
 * @throws ConfigError as the reader does, with the line and the column
 */
export function readWithPositions<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) throw withPosition(error, text);
    throw error;
  }
}

function positionOf(
  place: string,
  text: string,
): { readonly line: number; readonly column: number } | undefined {
  try {
    const { document, lines } = parseYaml(text);
    const offset = find(document.contents, stepsOf(place))?.range?.[0];
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  } catch {
    // What JSON.parse has read need not be YAML: it may be nested deeper.
    return undefined;
  }
}

/** `nodes[3].host` as `nodes`, `[3]`, `host`. */
function stepsOf(place: string): readonly string[] {
  return place.match(/\[\d+\]|[^.[\]]+/g) ?? [];
}

/** The node at the place, or the last one on the way to it. */
function find(node: Node | null, steps: readonly string[]): Node | undefined {
  if (node === null) return undefined;
  const [step = ''] = steps;
  if (isSeq(node) && step.startsWith('[')) {
    const item = node.items[Number(step.slice(1, -1))];
    return find(item as Node | null, steps.slice(1)) ?? node;
  }
  if (!isMap(node)) return node;
  // A key may have dots itself: `labels.example.org/rack`.
  for (let length = steps.length; length > 0; length--) {
    const name = steps.slice(0, length).join('.');
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair) return find(pair.value as Node | null, steps.slice(length)) ?? (pair.key as Node);
  }
  return node;
}
