import { ConfigError, messageOf } from '../../platform/errors.js';
import { readCaFile } from '../../platform/ca-file.js';
import { readHeadersFile, type HeaderList } from '../../platform/headers-file.js';
import { readRegularFile } from '../../platform/read-regular-file.js';
import { readSecretUrl } from '../definition/read-receivers.js';
import type { Receiver } from '../definition/receiver.js';

/** What the files of a receiver hold. Nothing of it is shown, logged or told. */
export interface ReceiverSecrets {
  readonly url: URL;
  readonly secret: string | undefined;
  readonly headers: HeaderList;
  readonly ca: string | undefined;
}

const maxSecretBytes = 4096;
const leastSecretBytes = 16;

/**
 * Reads the files of a receiver. They are read for each message, so a Secret that is replaced serves at once.
 * @throws ConfigError that names the file and shows nothing of what it holds
 */
export function readSecrets(receiver: Receiver): ReceiverSecrets {
  const { url, secretFile, headersFile, caFile } = receiver;
  return {
    url: url instanceof URL ? url : readOf(receiver, 'urlFile', url, readUrlFile),
    secret: secretFile && readOf(receiver, 'secretFile', secretFile, readSecretFile),
    headers: headersFile ? readOf(receiver, 'headersFile', headersFile, readHeadersFile) : [],
    ca: caFile && readOf(receiver, 'ca', caFile, readCaFile),
  };
}

function readOf<T>({ name }: Receiver, key: string, path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new ConfigError(`receiver ${name}: ${key}: ${path}: ${messageOf(error)}`);
  }
}

function readUrlFile(path: string): URL {
  return readSecretUrl({ at: 'the file', value: readRegularFile(path, maxSecretBytes).trim() });
}

function readSecretFile(path: string): string {
  const secret = readRegularFile(path, maxSecretBytes).trim();
  const bytes = Buffer.byteLength(secret);
  if (bytes >= leastSecretBytes) return secret;
  throw new ConfigError(`expected a secret of at least ${leastSecretBytes} bytes, got ${bytes}`);
}
