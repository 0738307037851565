import { X509Certificate } from 'node:crypto';
import { readRegularFile } from './read-regular-file.js';

const maxBytes = 1 << 20;
const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads a PEM file of certificates. TLS would take a file without any, and trust nobody.
 * @throws Error where it cannot be read, or a certificate in it cannot
 */
export function readCaFile(path: string): string {
  const text = readRegularFile(path, maxBytes);
  const found = text.match(certificate) ?? [];
  if (found.length === 0) throw new Error('expected PEM certificates, got none');
  for (const [index, pem] of found.entries()) {
    if (!isCertificate(pem)) throw new Error(`certificate ${index + 1} cannot be read`);
  }
  return text;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
