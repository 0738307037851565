import { closeSync, openSync, readSync } from 'node:fs';
import { maxTokenFileBytes, tokenForm, tokenFormText } from '../api/token-form.js';
import { UsageError } from './errors.js';

const maxCaFileBytes = 1024 * 1024;
const certificateForm = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads the API token of a file. An error never shows what the file holds.
 * @param origin the flag or variable that names the file
 * @throws UsageError if the file cannot be read or holds no token
 */
export function readTokenFile(path: string, origin: string): string {
  const token = readText(path, maxTokenFileBytes, origin).trim();
  if (tokenForm.test(token)) return token;
  throw new UsageError(
    `${origin}: expected ${tokenFormText} in ${JSON.stringify(path)}, got ${token === '' ? 'nothing' : 'something else'}`,
  );
}

/**
 * Reads the certificates (PEM) of a file.
 * @throws UsageError if the file cannot be read or holds no valid certificate
 */
export function readCaFile(path: string): string {
  const text = readText(path, maxCaFileBytes, '--ca');
  const certificates = text.match(certificateForm) ?? [];
  if (certificates.length === 0) {
    throw new UsageError(
      `--ca: expected a file of PEM certificates, got none in ${JSON.stringify(path)}`,
    );
  }
  for (const certificate of certificates) checkCertificate(certificate, path);
  return certificates.join('\n');
}

/** Node's TLS ignores a certificate that it cannot read. */
function checkCertificate(certificate: string, path: string): void {
  // An import would load it at every start, and that takes some 4 ms.
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  try {
    new X509Certificate(certificate);
  } catch (error) {
    throw new UsageError(
      `--ca: expected valid PEM certificates in ${JSON.stringify(path)}, got one that cannot be read`,
      { cause: error },
    );
  }
}

/** The text of a file or a pipe, as a shell makes it for `<(command)`. */
function readText(path: string, maxBytes: number, origin: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(maxBytes + 1);
      let length = 0;
      for (;;) {
        const read = readSync(file, bytes, length, bytes.length - length, null);
        if (read === 0) return bytes.toString('utf8', 0, length);
        length += read;
        if (length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UsageError(
      `${origin}: expected a file that can be read, got ${JSON.stringify(path)}: ${why(error)}`,
    );
  }
}

function why(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
  };
  return words[code ?? ''] ?? message;
}
