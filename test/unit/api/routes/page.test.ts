import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createJsonApi } from '../../../../api/routes/json-api.js';
import { createPageApp, readPageFiles, type PageFiles } from '../../../../api/routes/page.js';
import { useFolder } from '../../../resources/folder.js';

const folder = useFolder();
let files: PageFiles;

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'main-ABC.js'), 'export {};');
  files = readPageFiles(folder);
});

describe('the page', () => {
  test.each([
    '/',
    '/matrix',
    '/zones/a/b',
    '/nodes',
    '/nodes/c%2Fn',
    '/findings/x',
    '/targets',
    '/targets/a',
    '/events',
  ])(
    '%s is the index, which browsers must revalidate and which forbids inline code',
    async (path) => {
      const app = createPageApp(files);
      const answer = await app.request(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('<!doctype html>');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const etag = answer.headers.get('etag') ?? '';
      const again = await app.request(path, { headers: { 'if-none-match': `W/${etag}` } });
      expect(again.status).toBe(304);
    },
  );

  test('an asset may be cached for ever, and no path leads out of the folder', async () => {
    const app = createPageApp(files);
    const answer = await app.request('/assets/main-ABC.js');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    for (const name of ['..%2Findex.html', 'none.js', '%00', '.']) {
      expect((await app.request(`/assets/${name}`)).status).toBe(404);
    }
    expect((await app.request('/', { method: 'POST' })).status).toBe(405);
  });
});

describe('the API token', () => {
  const source = {
    status: () => ({ body: new TextEncoder().encode('{}'), etag: '"1"' }),
    history: () => undefined,
  };
  const host = { host: '127.0.0.1' };

  test('is needed for everything except the page, and may change', async () => {
    let token = 'first';
    const app = createJsonApi(source, { page: files, token: () => Promise.resolve(token) });
    const statusOf = async (authorization?: string, path = '/v1beta/status') => {
      const headers = { ...host, ...(authorization !== undefined && { authorization }) };
      return (await app.request(path, { headers })).status;
    };
    expect(await statusOf(undefined, '/')).toBe(200);
    for (const path of ['/v1beta/status', '/v1/summary', '/openapi.json', '/nowhere']) {
      expect(await statusOf(undefined, path), path).toBe(401);
    }
    for (const wrong of [
      '',
      'first',
      'Bearer',
      'Bearer ',
      'Bearer firs',
      'Bearer first x',
      'Basic first',
    ]) {
      expect(await statusOf(wrong), wrong).toBe(401);
    }
    expect(await statusOf('Bearer first')).toBe(200);
    expect(await statusOf('bearer  first ')).toBe(200);
    token = 'second';
    expect(await statusOf('Bearer first')).toBe(401);
    expect(await statusOf('Bearer second')).toBe(200);
    const refused = await app.request('/v1beta/status', { headers: host });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="meshprobe"');
  });

  test('is checked after the Host header, so a page under another name is refused first', async () => {
    const app = createJsonApi(source, { page: files, token: () => Promise.resolve('x') });
    for (const path of ['/', '/v1beta/status']) {
      expect((await app.request(path, { headers: { host: 'evil.example' } })).status).toBe(421);
    }
  });
});
