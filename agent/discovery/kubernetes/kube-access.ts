import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { messageOf } from '../../platform/errors.js';
import { formatValue } from '../../platform/format-value.js';

/** Where the kubelet puts a pod's own identity. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How a cluster's API server is found: a pod's service account, or kubeconfig files. */
export type KubeIdentity =
  | { readonly kind: 'service-account'; readonly folder: string; readonly server: string }
  | { readonly kind: 'kubeconfig'; readonly paths: string };

/** All that one request needs. */
export interface Access {
  readonly server: URL;
  readonly agent: HttpAgent;
  readonly headers: Readonly<Record<string, string>>;
}

/** Gives what a request needs, anew for each: tokens and certificates are rotated under us. */
export interface KubeAccess {
  /** @throws Error where the identity cannot be read or makes no sense */
  forRequest(): Promise<Access>;
  /** The identity was refused: it is read again from its files. */
  forget(): void;
  /** Closes idle connections. */
  close(): void;
}

/**
 * The official client's KubeConfig knows the kubeconfig format and its ways to authenticate; it is
 * loaded only here and only when needed. Requests and connections are our own.
 */
export function createKubeAccess(identity: KubeIdentity): KubeAccess {
  let loaded: Promise<Loaded> | undefined;
  let pool: { readonly key: string; readonly agent: HttpAgent } | undefined;

  function agentFor(tls: TlsOptions, proxied: HttpAgent | undefined, server: URL): HttpAgent {
    const key = JSON.stringify([server.origin, tls]);
    if (pool?.key !== key) {
      pool?.agent.destroy();
      const options = { keepAlive: true, maxSockets: 8 };
      const own = () =>
        server.protocol === 'http:'
          ? new HttpAgent(options)
          : new HttpsAgent({ ...options, ...tls });
      pool = { key, agent: proxied ?? own() };
    }
    return pool.agent;
  }

  return {
    async forRequest() {
      loaded ??= load(identity);
      const current = loaded;
      try {
        const { config, tokenFile } = await current;
        const cluster = config.getCurrentCluster();
        if (!cluster) throw new Error('expected a current context with a cluster, got none');
        const server = readServer(cluster.server);
        const options: AppliedOptions = {};
        await config.applyToHTTPSOptions(options);
        const headers: Record<string, string> = { ...options.headers };
        if (options.auth) {
          headers['Authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
        }
        if (tokenFile !== undefined) {
          headers['Authorization'] = `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`;
        }
        const { ca, cert, key, rejectUnauthorized, servername } = options;
        const tls = { ca, cert, key, rejectUnauthorized, servername };
        return {
          server,
          headers,
          agent: agentFor(tls, cluster.proxyUrl ? options.agent : undefined, server),
        };
      } catch (error) {
        // A file that was half written is read again the next time.
        if (loaded === current) loaded = undefined;
        throw error;
      }
    },
    forget() {
      loaded = undefined;
    },
    close() {
      pool?.agent.destroy();
      pool = undefined;
    },
  };
}

type TlsOptions = Pick<
  HttpsAgentOptions,
  'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'
>;

interface AppliedOptions extends TlsOptions {
  readonly headers?: Record<string, string>;
  readonly auth?: string;
  readonly agent?: HttpAgent;
}

interface Loaded {
  readonly config: KubeConfig;
  /** Read by us for every request, as its content changes. */
  readonly tokenFile: string | undefined;
}

async function load(identity: KubeIdentity): Promise<Loaded> {
  const { KubeConfig } = await import('./kube-config.js');
  const config = new KubeConfig();
  if (identity.kind === 'service-account') {
    const { folder, server } = identity;
    const cluster = { name: 'own', server, caFile: join(folder, 'ca.crt'), skipTLSVerify: false };
    config.loadFromClusterAndUser(cluster, { name: 'pod' });
    return { config, tokenFile: join(folder, 'token') };
  }
  const tokenFiles = new Map<string, string>();
  for (const [index, path] of identity.paths.split(delimiter).filter(Boolean).entries()) {
    try {
      const part = new KubeConfig();
      part.loadFromFile(path);
      if (index === 0) config.loadFromOptions(part);
      else config.mergeConfig(part, true);
      await collectTokenFiles(path, tokenFiles);
    } catch (error) {
      throw new Error(`expected a kubeconfig in ${formatValue(path)}, got ${describe(error)}`, {
        cause: error,
      });
    }
  }
  return { config, tokenFile: tokenFiles.get(config.getCurrentUser()?.name ?? '') };
}

/** KubeConfig passes over a user's `tokenFile`. */
async function collectTokenFiles(path: string, byUser: Map<string, string>): Promise<void> {
  const content = parse(await readFile(path, 'utf8')) as { users?: unknown } | null;
  const users: unknown[] = Array.isArray(content?.users) ? content.users : [];
  for (const entry of users) {
    const { name, user } = (entry ?? {}) as {
      name?: unknown;
      user?: { tokenFile?: unknown } | null;
    };
    const file = user?.tokenFile;
    if (typeof name === 'string' && typeof file === 'string' && !byUser.has(name)) {
      byUser.set(name, resolve(dirname(path), file));
    }
  }
}

function readServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new Error(`expected the URL of an API server, got ${formatValue(text)}`);
}

function describe(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 200) ?? '';
}
