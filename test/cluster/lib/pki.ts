import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lab/lib/command.js';
import { addressOfControl, apiUrl, kubeconfig, pkiFolder } from './place.js';

const names = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** Makes the certificates of the API server, the key of service accounts, and the kubeconfig of the administrator. */
export async function makeKeys(): Promise<void> {
  mkdirSync(pkiFolder, { recursive: true, mode: 0o700 });
  const at = (name: string) => join(pkiFolder, name);
  const openssl = (...args: string[]) => run('openssl', args);
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    ...['req', '-x509', ...key, '-days', '30', '-subj', '/CN=ca'],
    ...['-keyout', at('ca.key'), '-out', at('ca.crt')],
  );
  const addresses = [addressOfControl, '127.0.0.1', '10.96.0.1'];
  const subjects = [...addresses.map((ip) => `IP:${ip}`), ...names.map((name) => `DNS:${name}`)];
  writeFileSync(at('api.ext'), `subjectAltName=${subjects.join(',')}\n`);
  await openssl(
    ...['req', ...key, '-subj', '/CN=apiserver', '-keyout', at('api.key'), '-out', at('api.csr')],
  );
  await openssl(
    ...['x509', '-req', '-days', '30', '-in', at('api.csr'), '-extfile', at('api.ext')],
    ...['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial', '-out', at('api.crt')],
  );
  await openssl('genrsa', '-out', at('accounts.key'), '2048');
  const token = randomUUID();
  writeFileSync(at('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const text = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'cluster',
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: 'admin' } }],
    clusters: [
      { name: 'cluster', cluster: { server: apiUrl, 'certificate-authority': at('ca.crt') } },
    ],
    users: [{ name: 'admin', user: { token } }],
  });
  writeFileSync(kubeconfig, text, { mode: 0o600 });
}
