import type { Target } from '../../model/target.js';
import { codeOf } from '../../platform/errors.js';
import { readJson } from '../../platform/read-json.js';
import { readRegularFile } from '../../platform/read-regular-file.js';
import { readMapping } from './fields.js';
import { parseTargets } from './parse-targets.js';

/** Several times what sixteen targets take. */
export const maxTargetsFileBytes = 64 * 1024;

/**
 * Reads a targets file. Only YAML loads the YAML reader: it costs a responder as much memory as all
 * else that it does.
 * @throws ConfigError where the text is not valid, Error where the file cannot be read
 */
export async function readTargetsFile(path: string): Promise<Target[]> {
  return parseTargetsFile(readText(path));
}

function readText(path: string): string {
  try {
    return readRegularFile(path, maxTargetsFileBytes);
  } catch (error) {
    // The texts of the system name its calls.
    const code = codeOf(error);
    if (code === 'ENOENT') throw new Error('there is no such file', { cause: error });
    if (code === 'ENXIO') throw new Error('it is no regular file', { cause: error });
    throw error;
  }
}

/**
 * Reads the text of a targets file (YAML or JSON).
 * @throws ConfigError with one line: the place, what was expected, what was got
 */
export async function parseTargetsFile(text: string): Promise<Target[]> {
  const content = readJson(text) ?? (await import('../../platform/read-yaml.js')).readYaml(text);
  return parseTargets(
    readMapping({ at: 'the file', value: content }, ['targets'], '').field('targets'),
  );
}
