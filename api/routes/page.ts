import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Hono, type Context } from 'hono';
import { allowOnly } from './allow-methods.js';

/** One file of the page as it is sent. */
interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
}

/** The built page in memory, about 150 KB. */
export interface PageFiles {
  readonly index: PageFile;
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** The URLs of the page's views. Each gets the same index, and the page reads the URL. */
const viewPaths = [
  '/',
  '/matrix',
  '/zones/*',
  '/findings/*',
  '/nodes',
  '/nodes/*',
  '/targets',
  '/targets/*',
  '/events',
];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Forbids inline code, other origins and frames. Trusted types keep text from becoming markup. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/**
 * Reads the page that `npm run build` wrote.
 * @throws Error if the folder holds no built page
 */
export function readPageFiles(folder: string): PageFiles {
  const read = (...names: string[]): PageFile => {
    const body = new Uint8Array(readFileSync(join(folder, ...names)));
    const type = types[extname(names.at(-1) ?? '')] ?? 'application/octet-stream';
    return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
  };
  const names = readdirSync(join(folder, 'assets'));
  return {
    index: read('index.html'),
    assets: new Map(names.map((name) => [name, read('assets', name)])),
  };
}

/**
 * Serves the dashboard page without a token. The page holds nothing of the cluster: it asks the API
 * for everything.
 */
export function createPageApp({ index, assets }: PageFiles): Hono {
  const app = new Hono();
  for (const path of viewPaths) {
    app.get(path, (context) => send(context, index, 'no-cache'));
    allowOnly(app, path, 'GET');
  }
  app.get('/assets/:name', (context) => {
    const file = assets.get(context.req.param('name'));
    if (!file) return context.json('no such file of the page', 404);
    return send(context, file, 'public, max-age=31536000, immutable');
  });
  allowOnly(app, '/assets/:name', 'GET');
  return app;
}

function send(context: Context, file: PageFile, cacheControl: string): Response {
  const headers = { ...securityHeaders, etag: file.etag, 'cache-control': cacheControl };
  const known = context.req.header('if-none-match')?.split(',') ?? [];
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === file.etag)) {
    return context.body(null, 304, headers);
  }
  return context.body(file.body, 200, { ...headers, 'content-type': file.type });
}
