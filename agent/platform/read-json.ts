import { ConfigError } from './errors.js';
import { escapeControls } from './format-value.js';
import { findRepeatedKey } from './repeated-key.js';

/**
 * Reads the text of a file that is JSON or YAML as JSON. Undefined where it is no JSON with a mapping
 * on top: then the YAML reader reads it, or says what is wrong and where.
 * @throws ConfigError where an object has a key twice; JSON.parse would silently use the last one
 */
export function readJson(text: string): unknown {
  const json = text.trimStart().startsWith('{') ? parse(text) : undefined;
  if (json === undefined) return undefined;
  const repeated = findRepeatedKey(text);
  if (!repeated) return json;
  const [at, line] = [escapeControls(repeated.path, 200), repeated.line];
  throw new ConfigError(`${at}: expected this key once, got it again in line ${line}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
