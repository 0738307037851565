import { stringify } from 'yaml';
import { readRegularFileLater } from '../../platform/read-regular-file.js';
import { mappingOf, textOf } from '../object-fields.js';
import type { ExecPlugin } from './exec-plugin.js';
import type { KubeContext } from './kubeconfig.js';

/** How a user proves who it is: headers, and a client certificate for TLS. */
export interface UserCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/**
 * The current credentials of a kubeconfig's user. Files are read again, and a plugin is run if its
 * last credentials are no longer valid.
 * @throws Error where a file cannot be read or a plugin gives nothing
 */
export async function readCredentials(
  { cluster, user }: KubeContext,
  { plugin, environment }: { plugin: ExecPlugin; environment: NodeJS.ProcessEnv },
): Promise<UserCredentials> {
  const headers: Record<string, string> = {};
  const asked = textOf(user['as']);
  if (asked !== '') headers['Impersonate-User'] = asked;
  let cert = await readPem(user, 'client-certificate');
  let key = await readPem(user, 'client-key');
  const token = await readToken(user);
  if (token !== '') {
    headers['Authorization'] = `Bearer ${token}`;
  } else if (textOf(user['username']) !== '') {
    const pair = `${textOf(user['username'])}:${textOf(user['password'])}`;
    headers['Authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else if (user['exec']) {
    const exec = mappingOf(user['exec']);
    const info = exec['provideClusterInfo'] === true ? await clusterInfo(cluster) : undefined;
    const given = await plugin.credential({ exec, cluster: info, environment });
    if (given.token !== undefined) headers['Authorization'] = `Bearer ${given.token}`;
    [cert, key] = [given.cert ?? cert, given.key ?? key];
  } else if (user['auth-provider']) {
    Object.assign(headers, await askAuthProvider(user));
  }
  return { headers, cert, key };
}

async function readToken(user: KubeContext['user']): Promise<string> {
  const file = textOf(user['tokenFile']);
  // As in client-go, the file wins over the token beside it, because the file is rotated.
  return file === '' ? textOf(user['token']) : (await readRegularFileLater(file)).trim();
}

/** The PEM text of a field that holds it in base64 (`-data`) or names its file. */
export async function readPem(
  entry: KubeContext['user'],
  field: 'client-certificate' | 'client-key' | 'certificate-authority',
): Promise<string | undefined> {
  const data = textOf(entry[`${field}-data`]);
  if (data !== '') return Buffer.from(data, 'base64').toString();
  const file = textOf(entry[field]);
  return file === '' ? undefined : readPemFile(file);
}

/**
 * The text of a PEM file.
 * @throws Error where it cannot be read or is empty: TLS would take that for no file, and trust all public authorities
 */
export async function readPemFile(file: string): Promise<string> {
  const text = await readRegularFileLater(file);
  if (text.trim() === '') throw new Error(`${file}: it is empty`);
  return text;
}

/** The cluster in the form that a plugin gets. */
async function clusterInfo(cluster: KubeContext['cluster']): Promise<object> {
  const ca = await readPem(cluster, 'certificate-authority');
  const extension = (Array.isArray(cluster['extensions']) ? cluster['extensions'] : [])
    .map(mappingOf)
    .find(({ name }) => name === 'client.authentication.k8s.io/exec');
  return {
    server: cluster['server'],
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    'certificate-authority-data': ca && Buffer.from(ca).toString('base64'),
    'proxy-url': cluster['proxy-url'],
    config: extension?.['extension'],
  };
}

/**
 * The legacy `auth-provider` entries (OIDC and clouds) are the official client's; it takes a third of
 * a second to load, so only they load it.
 */
async function askAuthProvider(user: KubeContext['user']): Promise<Record<string, string>> {
  const { KubeConfig } = await import('./kube-config.js');
  const config = new KubeConfig();
  config.loadFromString(
    stringify({
      clusters: [{ name: 'own', cluster: { server: 'https://localhost' } }],
      users: [{ name: 'own', user }],
      contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
      'current-context': 'own',
    }),
  );
  const options: { headers?: Record<string, string> } = {};
  await config.applyToHTTPSOptions(options);
  return options.headers ?? {};
}
