import type { Target } from '../../model/target.js';
import { ConfigError, messageOf } from '../../platform/errors.js';
import { readJson } from '../../platform/read-json.js';
import { readRegularFile } from '../../platform/read-regular-file.js';
import { readMapping } from '../../platform/fields.js';
import { parseTargets } from './parse-targets.js';

/** Several times what sixteen targets take. */
export const maxTargetsFileBytes = 64 * 1024;

/**
 * Reads a targets file. Only YAML loads the YAML reader: it costs a responder as much memory as all
 * else that it does.
 * @throws ConfigError where the text is not valid, Error where the file cannot be read
 */
export async function readTargetsFile(path: string): Promise<Target[]> {
  return parseTargetsFile(readRegularFile(path, maxTargetsFileBytes));
}

/**
 * Reads the text of a targets file (YAML or JSON).
 * @throws ConfigError with one line: the place, what was expected, what was got, and the line of the file
 */
export async function parseTargetsFile(text: string): Promise<Target[]> {
  const content = readJson(text) ?? (await readYamlText(text));
  try {
    return parseTargets(
      readMapping({ at: 'the file', value: content }, ['targets'], '').field('targets'),
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { withPosition } = await import('../../platform/with-position.js');
    throw withPosition(error, text);
  }
}

/** An address in brackets without quotes: YAML takes it for a list. */
const bareBrackets = /[:,[-]\s+\[[0-9a-f:.]+\]:\d/i;

async function readYamlText(text: string): Promise<unknown> {
  const { readYaml } = await import('../../platform/read-yaml.js');
  try {
    return readYaml(text);
  } catch (error) {
    if (!bareBrackets.test(text)) throw error;
    throw new ConfigError(
      `${messageOf(error)}; an address in brackets needs quotes: "[IPv6]:PORT"`,
    );
  }
}
