import { ConfigError, messageOf } from '../../platform/errors.js';
import { readMapping } from '../../platform/fields.js';
import { readJson } from '../../platform/read-json.js';
import { readRegularFile } from '../../platform/read-regular-file.js';
import { readYaml } from '../../platform/read-yaml.js';
import { readWithPositions } from '../../platform/with-position.js';
import { readSecrets } from '../sending/secrets.js';
import type { Receiver } from './receiver.js';
import { readReceivers } from './read-receivers.js';

/** Several times what four receivers take. */
const maxBytes = 64 * 1024;

/**
 * Reads a notify file.
 * @throws ConfigError where the text is not valid, Error where the file cannot be read
 */
export function readNotifyFile(path: string): Receiver[] {
  return parseNotifyFile(readRegularFile(path, maxBytes));
}

/**
 * Reads the text of a notify file (YAML or JSON).
 * @throws ConfigError with one line: the place, what was expected, what was got, and the line of the file
 */
export function parseNotifyFile(text: string): Receiver[] {
  const content = readJson(text) ?? readYaml(text);
  return readWithPositions(text, () => {
    const fields = readMapping({ at: 'the file', value: content }, ['receivers'], '');
    return readReceivers(fields.field('receivers'));
  });
}

/**
 * Reads a notify file and the files that its receivers name.
 * @throws ConfigError where one of them cannot be read or is not valid
 */
export function checkNotifyFile(path: string): Receiver[] {
  try {
    const receivers = readNotifyFile(path);
    for (const receiver of receivers) readSecrets(receiver);
    return receivers;
  } catch (error) {
    throw new ConfigError(`notify-file: ${path}: ${messageOf(error)}`);
  }
}
