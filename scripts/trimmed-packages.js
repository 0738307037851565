// What is bundled of packages of which the programs need a part.
import { join, sep } from 'node:path';
import { root } from './sources.js';

const kubernetesClient = '@kubernetes/client-node';

/**
 * The configuration of the Kubernetes client alone. Its index, and that of the generated API which the configuration
 * imports, would have a build read a thousand modules of which it needs none: six sevenths of its time.
 * @type {import('esbuild').Plugin}
 */
const kubernetesConfig = {
  name: 'kubernetes-config',
  setup({ onLoad, onResolve }) {
    const folder = join(root, 'node_modules', kubernetesClient, 'dist');
    const config = join(folder, 'config.js');
    const isClient = new RegExp(`^${kubernetesClient}$`);
    onResolve({ filter: isClient }, () => ({ path: config, sideEffects: false }));
    onResolve({ filter: /^\.\/gen\/index\.js$/ }, ({ importer }) =>
      importer === config ? { path: 'generated', namespace: kubernetesClient } : undefined,
    );
    onLoad({ filter: /./, namespace: kubernetesClient }, () => ({
      contents: `
        export { createConfiguration } from './configuration.js';
        export { ServerConfiguration } from './servers.js';`,
      resolveDir: join(folder, 'gen'),
    }));
  },
};

/**
 * Hono's OpenAPI hands all of zod to an extension that takes its class of schemas alone. So zod's messages in all languages
 * would stand in the chunk of zod, which each agent reads when it starts.
 * @type {import('esbuild').Plugin}
 */
const zodOfOpenApi = {
  name: 'zod-of-openapi',
  setup({ onLoad, onResolve }) {
    const folder = ['@hono', 'zod-openapi', ''].join(sep);
    onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer.includes(folder) ? { path: 'zod', namespace: 'zod-of-openapi' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'zod-of-openapi' }, () => ({
      contents: `
        import { ZodType } from 'zod';
        export const z = { ZodType };`,
      resolveDir: root,
    }));
  },
};

/**
 * The clients of undici alone: with `fetch`, caches, mocks and WebSockets it would take 18 ms more at each start, and 2.4 MB.
 * What else is imported of it fails the build.
 * @type {import('esbuild').Plugin}
 */
const undiciClients = {
  name: 'undici-clients',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'undici-clients' }));
    onLoad({ filter: /./, namespace: 'undici-clients' }, () => ({
      contents: `
        import api from 'undici/lib/api/index.js';
        import errors from 'undici/lib/core/errors.js';
        import buildConnector from 'undici/lib/core/connect.js';
        import Agent from 'undici/lib/dispatcher/agent.js';
        import Client from 'undici/lib/dispatcher/client.js';
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
        Object.assign(Dispatcher.prototype, api);
        export { Agent, Client, ProxyAgent, buildConnector, errors };`,
      resolveDir: root,
    }));
  },
};

export const trimmedPackages = [kubernetesConfig, undiciClients, zodOfOpenApi];
