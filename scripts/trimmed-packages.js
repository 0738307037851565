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

export const trimmedPackages = [kubernetesConfig, zodOfOpenApi];
