import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { delimiter, join } from 'node:path';
import { fileFingerprint } from '../../platform/file-fingerprint.js';
import { formatValue } from '../../platform/format-value.js';
import { chooseProxy } from '../../platform/proxy-choice.js';
import { readRegularFileLater } from '../../platform/read-regular-file.js';
import { textOf } from '../object-fields.js';
import { ExecPlugin } from './exec-plugin.js';
import { readKubeconfig, type KubeContext } from './kubeconfig.js';
import { readCredentials, readPem, readPemFile } from './user-credentials.js';

/** Where the kubelet puts a pod's own identity. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

const poolOptions = { keepAlive: true, maxSockets: 8 };

/** How a cluster's API server is found: a pod's service account, or kubeconfig files. */
export type KubeIdentity =
  | { readonly kind: 'service-account'; readonly folder: string; readonly server: string }
  | {
      readonly kind: 'kubeconfig';
      /** One file or several, separated as in `$KUBECONFIG`. */
      readonly paths: string;
      /** Undefined: the current one. */
      readonly context?: string | undefined;
      /** For the proxy, and for a credential plugin to inherit. */
      readonly environment: NodeJS.ProcessEnv;
    };

type TlsOptions = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'
>;

/** What one request needs. */
export interface Access {
  readonly server: URL;
  readonly agent: HttpAgent;
  readonly tls: TlsOptions;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Gives what a request needs, read again for each request: tokens and certificates are rotated.
 */
export interface KubeAccess {
  /** @throws Error where the identity cannot be read or makes no sense */
  forRequest(): Promise<Access>;
  /**
   * Reads where the server is and who asks; no plugin is run.
   * @throws Error where that cannot be read or makes no sense
   */
  check(): Promise<void>;
  /** The identity was refused, so it is read from its files again. */
  forget(): void;
  /** Closes idle connections, and ends a plugin that still runs. */
  close(): void;
}

/** Where a cluster is, and what its connections need whoever asks. */
interface Endpoint {
  readonly server: URL;
  readonly proxy: URL | undefined;
  readonly tls: TlsOptions;
}

/** Access to an API server by the identity given; connections are kept for the next request. */
export function createKubeAccess(
  identity: KubeIdentity,
  plugin: ExecPlugin = new ExecPlugin(),
): KubeAccess {
  let context: { readonly seen: string; readonly read: Promise<KubeContext> } | undefined;
  let pool: { readonly key: string; readonly agent: HttpAgent } | undefined;

  async function agentFor({ server, proxy }: Endpoint): Promise<HttpAgent> {
    // Few reach their API server through a proxy: the others do without its libraries.
    const tunnels = proxy && (await import('./proxy-agent.js')).createProxyAgent;
    const key = [server.origin, proxy?.href].join(' ');
    if (pool?.key !== key) {
      pool?.agent.destroy();
      const agent = proxy && tunnels ? tunnels(proxy, poolOptions) : directAgent(server);
      pool = { key, agent };
    }
    return pool.agent;
  }

  async function readContext(paths: string, name: string | undefined): Promise<KubeContext> {
    // A server that has moved, or has another authority, refuses nobody: only the files tell of it.
    const seen = (await Promise.all(paths.split(delimiter).map(fileFingerprint))).join('\n');
    if (context?.seen !== seen) context = { seen, read: readKubeconfig(paths, name) };
    const current = context;
    try {
      return await current.read;
    } catch (error) {
      // A file that was half written is read again the next time.
      if (context === current) context = undefined;
      throw error;
    }
  }

  return {
    async forRequest() {
      if (identity.kind === 'service-account') {
        const { folder, server } = identity;
        const tls = { ca: await readPemFile(join(folder, 'ca.crt')) };
        const endpoint = { server: readServer(server), proxy: undefined, tls };
        const token = (await readRegularFileLater(join(folder, 'token'))).trim();
        const headers = { Authorization: `Bearer ${token}` };
        return { server: endpoint.server, agent: await agentFor(endpoint), tls, headers };
      }
      const { paths, context: name, environment } = identity;
      const current = await readContext(paths, name);
      const endpoint = await readEndpoint(current, environment);
      const { headers, cert, key } = await readCredentials(current, { plugin, environment });
      const tls = { ...endpoint.tls, cert, key };
      return { server: endpoint.server, agent: await agentFor(endpoint), tls, headers };
    },
    async check() {
      // A service account comes when the kubelet brings it.
      if (identity.kind === 'service-account') return;
      const { paths, context: name, environment } = identity;
      await readEndpoint(await readContext(paths, name), environment);
    },
    forget() {
      context = undefined;
      plugin.forget();
    },
    close() {
      plugin.close();
      pool?.agent.destroy();
      pool = undefined;
    },
  };
}

function directAgent(server: URL): HttpAgent {
  return server.protocol === 'http:' ? new HttpAgent(poolOptions) : new HttpsAgent(poolOptions);
}

async function readEndpoint(
  { cluster }: KubeContext,
  environment: NodeJS.ProcessEnv,
): Promise<Endpoint> {
  const server = readServer(textOf(cluster['server']));
  const proxy = chooseProxy(server, textOf(cluster['proxy-url']), environment);
  if (server.protocol === 'http:') return { server, proxy, tls: {} };
  const tls = {
    ca: await readPem(cluster, 'certificate-authority'),
    ...(cluster['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
    servername: textOf(cluster['tls-server-name']) || undefined,
  };
  return { server, proxy, tls };
}

function readServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new Error(`expected the URL of an API server, got ${formatValue(text)}`);
}
