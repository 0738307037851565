import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** The files of a certificate and its key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates by openssl, in a folder. */
export class Certificates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    const { key, cert } = this.#files('ca');
    this.#run('req', '-x509', ...curve, '-keyout', key, '-out', cert, '-subj', '/CN=a test CA');
  }

  /** The file of the certificate that signs the others. */
  get ca(): string {
    return this.#files('ca').cert;
  }

  /** A certificate of a name that ends after so many days; negative: it has ended. */
  make(name: string, days: number): CertificateFiles {
    const files = this.#files(`${name}${days}`);
    const request = `${files.key}.csr`;
    const names = /^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`;
    this.#run(
      ...['req', ...curve, '-keyout', files.key, '-out', request, '-subj', `/CN=${name}`],
      ...['-addext', `subjectAltName=${names}`],
    );
    const ca = this.#files('ca');
    this.#run(
      ...['x509', '-req', '-in', request, '-CA', ca.cert, '-CAkey', ca.key, '-CAcreateserial'],
      ...['-days', String(days), '-copy_extensions', 'copy', '-out', files.cert],
    );
    return files;
  }

  /** A certificate that nobody else has signed. */
  makeSelfSigned(name: string): CertificateFiles {
    const files = this.#files(`self-${name}`);
    this.#run(
      ...['req', '-x509', ...curve, '-keyout', files.key, '-out', files.cert],
      ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    );
    return files;
  }

  #files(name: string): CertificateFiles {
    return { cert: join(this.#folder, `${name}.pem`), key: join(this.#folder, `${name}.key`) };
  }

  #run(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe' });
  }
}
