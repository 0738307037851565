import { Composer, Lexer, LineCounter, Parser, type CST } from 'yaml';
import { ConfigError, messageOf } from './errors.js';
import { escapeControls } from './format-value.js';

/** Many times what any file of ours has. */
const maxDepth = 100;
const maxAliases = 100;

/**
 * Reads the text of a YAML file.
 * @throws ConfigError with one line: what is wrong, and where
 */
export function readYaml(text: string): unknown {
  try {
    return compose(text).toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    // Further lines of the YAML library's messages quote the file.
    const [line = ''] = messageOf(error).split('\n', 1);
    throw new ConfigError(`expected YAML, got an error: ${escapeControls(line, 200)}`);
  }
}

function compose(text: string) {
  const counter = new LineCounter();
  // Its warnings would go to the log of the process as they are.
  const composer = new Composer({ logLevel: 'error' });
  const [document, second] = composer.compose(tokensOf(text, counter), true, text.length);
  const [error] = document?.errors ?? [];
  if (error) {
    const { line, col } = counter.linePos(error.pos[0]);
    throw new Error(`${error.message} at line ${line}, column ${col}`);
  }
  if (document === undefined || second !== undefined) throw new Error('expected one document');
  return document;
}

/**
 * The library composes what is nested by calling itself. The stack may then end within a regular
 * expression of V8, and that ends the process.
 */
function* tokensOf(text: string, counter: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(counter.addNewLine);
  counter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > maxDepth) throw new Error(`nested deeper than ${maxDepth} levels`);
  }
  yield* parser.end();
}
