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
 * Reads the text of a notify file (YAML or JSON). A URL or a secret may stand in the wrong place, so a message has no text of
 * the file but what looks like a word of ours.
 * @throws ConfigError with one line: the place, what was expected, what was got, and the line of the file
 */
export function parseNotifyFile(text: string): Receiver[] {
  const content = readJsonWithoutText(text) ?? readYaml(text, true);
  return readWithPositions(text, () => {
    const file = { at: 'the file', value: content, mayBeSecret: true };
    return readReceivers(readMapping(file, ['receivers'], '').field('receivers'));
  });
}

function readJsonWithoutText(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    const message = messageOf(error);
    // It names the key, and any text may be one.
    if (/^(receivers(\[\d\])?)?\.?[a-zA-Z]{0,20}: /.test(message)) throw error;
    throw new ConfigError(message.replace(/^.*?: expected this key/s, 'expected each key'));
  }
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
