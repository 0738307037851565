import { describe, expect, test } from 'vitest';
import { createAdminApi } from '../../../../api/routes/admin.js';
import { createJsonApi } from '../../../../api/routes/json-api.js';
import type { History } from '../../../../api/schema/history.js';

const body = '{"local":{"name":"c/a"},"timestamp":"t","nodes":[]}';
const freshness: boolean[] = [];
const status = ({ fresh = false } = {}) => {
  freshness.push(fresh);
  return { body: Uint8Array.from(Buffer.from(body)), etag: '"run.1"' };
};
const past: History = {
  node: 'c/a',
  timestamp: 't',
  keptSamples: 60,
  bytesPerPath: 1370,
  paths: [],
};
const history = (node: string) => (node === 'c/a' ? past : undefined);
const healthz = () => ({
  uptime: '1s',
  'system-load': { last1min: '0', last5min: '0', last15min: '0' },
});

const expectedName = 'expected the name of a node: ?node=NAME or ?node=CLUSTER/NAME';

function createAdmin(probe: () => Promise<void> = () => Promise.resolve()) {
  return createAdminApi({ status, history, daemonHealth: healthz, probe });
}

describe('the local admin API', () => {
  test('answers with the unchanged status and its tag', async () => {
    const answer = await createAdmin().request('/v1beta/status');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('etag')).toBe('"run.1"');
    expect(await answer.text()).toBe(body);
  });

  test.each(['"x", "run.1"', 'W/"run.1"', '*'])(
    'answers 304 to a client that has %s',
    async (tags) => {
      const answer = await createAdmin().request('/v1beta/status', {
        headers: { 'if-none-match': tags },
      });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe('');
    },
  );

  test('probes, then answers with the fresh status', async () => {
    let probed = 0;
    const app = createAdmin(() => {
      probed++;
      return Promise.resolve();
    });
    const answer = await app.request('/v1beta/status/probe', { method: 'PUT' });
    expect([answer.status, await answer.text(), probed]).toEqual([200, body, 1]);
    expect(freshness.at(-1)).toBe(true);
  });

  test('answers 500 with the reason as a JSON string if it could not probe', async () => {
    const app = createAdmin(() => Promise.reject(new Error('the agent is stopping')));
    const answer = await app.request('/v1beta/status/probe', { method: 'PUT' });
    expect([answer.status, await answer.json()]).toEqual([500, 'the agent is stopping']);
  });

  test.each([
    ['?node=c%2Fa', 200, past],
    ['?node=b', 404, 'there is no node b'],
    ['', 400, `node: ${expectedName}, got nothing`],
    ['?node=', 400, `node: ${expectedName}, got ""`],
    [`?node=${'a'.repeat(1000)}`, 400, `node: ${expectedName}, got "${'a'.repeat(100)}"`],
    ['?node=b&node=c', 400, 'node: expected once, got 2 values'],
  ])('answers with the history of the node in %.20s', async (query, code, answer) => {
    const got = await createAdmin().request(`/v1beta/history${query}`);
    expect([got.status, await got.json()]).toEqual([code, answer]);
  });

  test.each([
    ['POST', '/v1beta/status', 'GET, HEAD, OPTIONS'],
    ['PUT', '/v1beta/history', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1beta/healthz', 'GET, HEAD, OPTIONS'],
    ['GET', '/v1beta/status/probe', 'PUT, OPTIONS'],
    ['HEAD', '/v1beta/status/probe', 'PUT, OPTIONS'],
    ['QUERY', '/v1beta/status', 'GET, HEAD, OPTIONS'],
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allowed) => {
    const answer = await createAdmin().request(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
    if (method !== 'HEAD') expect(await answer.json()).toContain(`expected ${allowed}`);
  });

  test.each([
    ['/v1beta/status', 'GET, HEAD, OPTIONS'],
    ['/v1beta/history', 'GET, HEAD, OPTIONS'],
    ['/v1beta/healthz', 'GET, HEAD, OPTIONS'],
    ['/v1beta/status/probe', 'PUT, OPTIONS'],
  ])('answers OPTIONS %s with the allowed methods', async (path, allowed) => {
    const answer = await createAdmin().request(path, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allowed]);
  });

  test('answers HEAD as GET, without the body, and with 304 to a client that has the status', async () => {
    const app = createAdmin();
    const head = await app.request('/v1beta/status', { method: 'HEAD' });
    const get = await app.request('/v1beta/status');
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect([head.status, await head.text()]).toEqual([200, '']);
    const headers = { 'if-none-match': '"run.1"' };
    expect((await app.request('/v1beta/status', { method: 'HEAD', headers })).status).toBe(304);
  });

  test('sends the status after a probe even if its tag is the one that the client has', async () => {
    const headers = { 'if-none-match': '"run.1"' };
    const answer = await createAdmin().request('/v1beta/status/probe', { method: 'PUT', headers });
    expect([answer.status, await answer.text()]).toEqual([200, body]);
  });

  test('answers an unknown path with 404 and a JSON string', async () => {
    const answer = await createAdmin().request('/v1/status');
    expect([answer.status, typeof (await answer.json())]).toEqual([404, 'string']);
  });
});

describe('the JSON API for dashboards', () => {
  const ask = (path: string, init: RequestInit = {}, host = '127.0.0.1:4242') =>
    createJsonApi({ status, history }, { allowedHosts: ['node1', 'a.example'] }).request(path, {
      ...init,
      headers: { host },
    });

  test('serves the same status, read-only', async () => {
    expect(await (await ask('/v1beta/status')).text()).toBe(body);
    expect((await ask('/v1beta/status', { method: 'PUT' })).status).toBe(405);
    expect((await ask('/v1beta/status/probe', { method: 'PUT' })).status).toBe(404);
  });

  test('describes itself', async () => {
    const document = (await (await ask('/openapi.json')).json()) as {
      openapi: string;
      paths: object;
      components: { schemas: Record<string, { description: string }> };
    };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(['/v1beta/status', '/v1beta/history']);
    const { schemas } = document.components;
    for (const { description } of Object.values(schemas)) expect(description).not.toBe('');
    const text = JSON.stringify(schemas);
    for (const field of [
      'latency',
      'primary-address',
      'secondary-addresses',
      'health-endpoint',
      'lastProbed',
    ]) {
      expect(text).toContain(field);
    }
  });

  test.each([
    'evil.example',
    'evil.example:4242',
    '',
    '127.0.0.1.evil.example',
    '[::1',
    'localhost.evil',
    '.',
    '[node1]',
    'node1.evil.example',
    'xnode1',
    'node1:',
    'node1:80:80',
    'node1..',
    'node1\t.evil',
    '*',
    '[]',
    '2130706433',
  ])('refuses the Host header %j', async (host) => {
    expect((await ask('/v1beta/status', {}, host)).status).toBe(421);
  });

  test.each([
    'localhost',
    'LOCALHOST',
    'LocalHost:80',
    'localhost.',
    '198.51.100.7:4242',
    '[::1]:4242',
    'node1',
    'NODE1:4242',
    'a.example.',
    'A.Example.:80',
  ])('accepts the Host header %j', async (host) => {
    expect((await ask('/v1beta/status', {}, host)).status).toBe(200);
  });

  test('tells a client with a refused Host header what to do', async () => {
    expect(await (await ask('/v1beta/status', {}, 'node2:4242')).json()).toBe(
      'expected an IP address, localhost or a name given by --api-allowed-host as the Host header, got "node2:4242"',
    );
  });
});
