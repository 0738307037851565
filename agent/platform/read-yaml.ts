import { Composer, Lexer, LineCounter, Parser, type CST, type Document } from 'yaml';
import { ConfigError, messageOf } from './errors.js';
import { escapeControls } from './format-value.js';

/** Many times what any file of ours has. */
const maxDepth = 100;
const maxAliases = 100;

/** What a text of YAML has. */
export interface YamlContent {
  readonly document: Document.Parsed;
  readonly content: unknown;
  /** Where the lines of the text begin. */
  readonly lines: LineCounter;
}

/**
 * Reads the text of a YAML file.
 * @param mayBeSecret nothing of the text is shown: the words of the YAML library may quote it
 * @throws ConfigError with one line: what is wrong, and where
 */
export function readYaml(text: string, mayBeSecret = false): unknown {
  try {
    return parseYaml(text).content;
  } catch (error) {
    const words = mayBeSecret ? plainWords(error) : messageOf(error);
    throw new ConfigError(`expected YAML, got an error: ${words}`);
  }
}

function plainWords(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Mistake ? cause.plain : 'an alias cannot be resolved';
}

/** A mistake in a text. */
class Mistake extends Error {
  /** The same without any piece of the text. */
  readonly plain: string;

  constructor(message: string, plain = message) {
    super(message);
    this.plain = plain;
  }
}

/**
 * Reads a text of YAML that may be hostile.
 * @throws Error with one line that a terminal can show: what is wrong, and where
 */
export function parseYaml(text: string): YamlContent {
  try {
    const lines = new LineCounter();
    const document = compose(text, lines);
    const content: unknown = document.toJS({ maxAliasCount: maxAliases });
    return { document, content, lines };
  } catch (error) {
    // Further lines of the YAML library's messages quote the file.
    const [line = ''] = messageOf(error).split('\n', 1);
    throw new Error(escapeControls(line, 200), { cause: error });
  }
}

function compose(text: string, lines: LineCounter): Document.Parsed {
  // Its warnings would go to the log of the process as they are.
  const composer = new Composer({ logLevel: 'error' });
  const [document, second] = composer.compose(tokensOf(text, lines), true, text.length);
  const [error] = document?.errors ?? [];
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const [place, kind] = [`at line ${line}, column ${col}`, error.code.toLowerCase()];
    throw new Mistake(`${error.message} ${place}`, `${kind.replaceAll('_', ' ')} ${place}`);
  }
  if (document === undefined || second !== undefined) throw new Mistake('expected one document');
  return document;
}

/**
 * The library composes what is nested by calling itself. The stack may then end within a regular
 * expression of V8, and that ends the process.
 */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > maxDepth) throw new Mistake(`nested deeper than ${maxDepth} levels`);
  }
  yield* parser.end();
}
