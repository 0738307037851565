import { describe, expect, test } from 'vitest';
import { createAdminApi } from '../../../../../api/routes/admin.js';
import { createJsonApi } from '../../../../../api/routes/json-api.js';
import type { NodePage } from '../../../../../api/schema/v1/nodes.js';
import { targetBody } from '../../../../doubles/targets.js';
import { endpointPlaneFinding, MemoryV1Source, nodeEntry } from '../../../../doubles/v1-source.js';

const beta = {
  status: () => ({ body: Uint8Array.from([123, 125]), etag: '"run.1"' }),
  history: () => undefined,
  daemonHealth: () => ({
    uptime: '1s',
    'system-load': { last1min: '0', last5min: '0', last15min: '0' },
  }),
  probe: () => Promise.resolve(),
};
const apps = {
  'the unix socket': (v1: MemoryV1Source) => createAdminApi({ ...beta, v1 }),
  'the TCP listener': (v1: MemoryV1Source) => createJsonApi({ ...beta, v1 }),
};
const names = ['c/n1', 'c/n2', 'c/n3'];

function ask(path: string, init: RequestInit = {}, source = new MemoryV1Source(names)) {
  return createAdminApi({ ...beta, v1: source }).request(path, init);
}

describe.each(Object.entries(apps))('/v1 on %s', (_, createApp) => {
  const source = new MemoryV1Source(names);
  source.open = [endpointPlaneFinding()];
  source.openTargets = [targetBody('cluster-dns', 3)];
  const get = (path: string, init: RequestInit = {}) =>
    createApp(source).request(path, { ...init, headers: { host: '127.0.0.1' } });

  test('answers with the bodies of its source', async () => {
    expect(await (await get('/v1/summary')).json()).toEqual(source.summary());
    expect(await (await get('/v1/findings')).json()).toEqual(source.findings());
    expect(await (await get('/v1/matrix')).json()).toMatchObject({
      zones: [''],
      plane: 'host',
      protocol: 'icmp',
    });
    expect(
      await (await get('/v1/matrix?by=node&plane=endpoint&protocol=http&nodes=c/n1,c/n3')).json(),
    ).toMatchObject({ rows: ['c/n1', 'c/n3'], plane: 'endpoint', protocol: 'http' });
    expect(await (await get('/v1/nodes')).json()).toMatchObject({ nodes: [{}, {}, {}] });
    expect(await (await get('/v1/targets')).json()).toEqual(source.targets());
    expect(await (await get('/v1/targets/cluster-dns')).json()).toEqual(
      source.target('cluster-dns'),
    );
    expect(await (await get('/v1/matrix?target=cluster-dns')).json()).toMatchObject({
      target: 'cluster-dns',
      zones: [''],
      columns: ['host', 'endpoint'],
    });
    expect(
      await (await get('/v1/matrix?target=cluster-dns&by=node&nodes=c/n1')).json(),
    ).toMatchObject({ target: 'cluster-dns', columns: ['host', 'endpoint'] });
    expect((await get('/v1/events')).headers.get('content-type')).toBe('text/event-stream');
  });

  test.each(['c/n2', 'c%2Fn2', 'n2'])(
    'answers with the node that the path names as %s',
    async (name) => {
      expect(await (await get(`/v1/nodes/${name}`)).json()).toEqual(source.node('c/n2'));
    },
  );

  test('refuses an unknown form of the status', async () => {
    const refused = await get('/v1beta/status?brief=maybe');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toBe('brief: expected true, false, got "maybe"');
    expect((await get('/v1beta/status?brief=true')).status).toBe(200);
  });

  const paths = [
    'summary',
    'findings',
    'matrix',
    'nodes',
    'nodes/c/n1',
    'events',
    'targets',
    'targets/cluster-dns',
  ];
  test.each(paths)('answers HEAD, OPTIONS and a wrong method of %s as HTTP says', async (path) => {
    const head = await get(`/v1/${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await get(`/v1/${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await get(`/v1/${path}`, { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('the queries of /v1', () => {
  test.each([
    ['unknown parameter "x", expected no parameters', 'summary?x=1'],
    ['unknown parameter "node", expected no parameters', 'findings?node=a'],
    ['unknown parameter "x", expected no parameters', 'nodes/c/n1?x'],
    ['unknown parameter "x", expected no parameters', 'targets?x=1'],
    ['unknown parameter "plane", expected no parameters', 'targets/cluster-dns?plane=host'],
    [
      'plane: expected without target, whose matrix has both planes, got "host"',
      'matrix?target=cluster-dns&plane=host',
    ],
    [
      'protocol: expected without target, whose matrix has both planes, got "icmp"',
      'matrix?target=cluster-dns&by=node&protocol=icmp',
    ],
    ['zone: expected only together with by=node, got "a"', 'matrix?target=cluster-dns&zone=a'],
    ['target: expected a name of 1 to', 'matrix?target='],
    ['target: expected once, got 2 values', 'matrix?target=a&target=b'],
    ['by: expected zone, node, or the name of a label, got ""', 'matrix?by='],
    ['by: expected zone, node, got "rack"', 'matrix?target=dns&by=rack'],
    ['by: expected once, got 2 values', 'matrix?by=zone&by=node'],
    ['plane: expected host, endpoint, worst, got "pod"', 'matrix?plane=pod'],
    ['protocol: expected icmp, http, worst, got "udp"', 'matrix?protocol=udp'],
    ['zone: expected only together with by=node, got "a"', 'matrix?zone=a'],
    ['toZone: expected only together with zone, got "a"', 'matrix?by=node&toZone=a'],
    ['zone: expected only together with by=node, got "a"', 'matrix?zone=a&toZone=b'],
    ['nodes: expected only together with by=node, got "c/n1"', 'matrix?nodes=c/n1'],
    ['nodes: expected names, got ""', 'matrix?by=node&nodes='],
    [
      'rowsAfter: expected a name of 1 to 507 characters',
      `matrix?by=node&rowsAfter=${'a'.repeat(508)}`,
    ],
    ['state: expected ok, degraded, broken, unknown, excluded, got "up"', 'nodes?state=up'],
    ['shows: expected signs, changes, got "sign"', 'nodes?shows=sign'],
    ['limit: expected a whole number from 1 to 1000, got "0"', 'nodes?limit=0'],
    ['limit: expected a whole number from 1 to 1000, got "1001"', 'nodes?limit=1001'],
    ['limit: expected a whole number from 1 to 1000, got "1e3"', 'nodes?limit=1e3'],
    ['limit: expected a whole number from 1 to 1000, got "\\u0000"', 'nodes?limit=%00'],
    ['name: expected a name of 1 to 507 characters, got ""', 'nodes?name='],
    ['name: expected a name of 1 to 507 characters', `nodes?name=${'a'.repeat(600)}`],
    ['cursor: expected the nextCursor of the previous page, got "c/n1"', 'nodes?cursor=c/n1'],
    ['cursor: expected the nextCursor of the previous page, got "Yy9uMQ"', 'nodes?cursor=Yy9uMQ'],
    [
      'unknown parameter "__proto__", expected state, zone, name, shows, limit, cursor',
      'nodes?__proto__=1',
    ],
    ['after: expected a whole number from 0 to 9007199254740991, got "-1"', 'events?after=-1'],
    ['follow: expected true, false, got "no"', 'events?follow=no'],
    ['type: expected path, finding, node, list, target, hops, change, or', 'events?type=changes'],
    ['type: expected path, finding, node, list, target, hops, change, or', 'events?type=path,'],
    ['type: expected path, finding, node, list, target, hops, change, or', 'events?type='],
  ])('are refused with "%s"', async (words, path) => {
    const answer = await ask(`/v1/${path}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toContain(words);
  });

  test('are refused if the header Last-Event-ID is not an id', async () => {
    const answer = await ask('/v1/events?after=1', { headers: { 'last-event-id': 'x' } });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      'Last-Event-ID: expected the id of an event, got "x"',
    ]);
  });

  test('get 404 and a JSON string if they name an unknown node', async () => {
    const answer = await ask('/v1/nodes/c/n9');
    expect([answer.status, await answer.json()]).toEqual([404, 'there is no node c/n9']);
    const long = await ask(`/v1/nodes/x${encodeURIComponent('\u{1f980}'.repeat(700))}`);
    const words = (await long.json()) as string;
    expect(words.endsWith('\u{1f980}')).toBe(true);
    expect((await ask('/v1/nothing')).status).toBe(404);
  });
});

test('an unknown target gets 404, and the name that was probably meant', async () => {
  const source = new MemoryV1Source(names);
  source.openTargets = [targetBody('cluster-dns', 3)];
  for (const path of ['targets/cluster-dn', 'matrix?target=cluster-dn']) {
    const answer = await ask(`/v1/${path}`, {}, source);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      'there is no target cluster-dn, is cluster-dns meant?',
    ]);
  }
  const none = await ask('/v1/targets/a%0Ab');
  expect([none.status, await none.json()]).toEqual([404, 'there is no target a\nb']);
});

test('a matrix and nodes of an unknown zone get 404, and the name that was probably meant', async () => {
  const source = new MemoryV1Source(names);
  source.entries.set('c/n8', nodeEntry('c/n8', { zone: 'eu-west' }));
  for (const query of [
    'matrix?by=node&zone=eu-wets',
    'matrix?by=node&zone=eu-west&toZone=eu-wets',
    'nodes?zone=eu-wets',
  ]) {
    const answer = await ask(`/v1/${query}`, {}, source);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      'there is no zone eu-wets, is eu-west meant?',
    ]);
  }
});

test('a matrix by an unknown label gets 400, what was expected, and the name that was probably meant', async () => {
  const source = new MemoryV1Source(names);
  source.groupBy = ['kernel'];
  const answer = await ask('/v1/matrix?by=kernle', {}, source);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    'by: expected zone, node, or a label that nodes are grouped by: there is no label kernle, is kernel meant?',
  ]);
});

describe('the pages of /v1/nodes', () => {
  async function page(source: MemoryV1Source, query: string): Promise<NodePage> {
    const answer = await ask(`/v1/nodes?${query}`, {}, source);
    expect(answer.status).toBe(200);
    return (await answer.json()) as NodePage;
  }
  const many = Array.from({ length: 10 }, (_, at) => `c/n${at}`);

  test('have every node once, in the order of the names', async () => {
    const source = new MemoryV1Source([...many].reverse());
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { nodes, nextCursor } = await page(source, `limit=3${cursor}`);
      seen.push(...nodes.map(({ name }) => name));
      if (nextCursor === undefined) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(many);
    expect((await page(source, 'limit=10')).nextCursor).toBe(undefined);
  });

  test('resume at their place while nodes come and go, even the node of the cursor', async () => {
    const source = new MemoryV1Source(many);
    const { nextCursor } = await page(source, 'limit=3');
    for (const gone of ['c/n0', 'c/n2', 'c/n3']) source.entries.delete(gone);
    source.entries.set('c/n1a', nodeEntry('c/n1a'));
    source.entries.set('c/n4a', nodeEntry('c/n4a'));
    const { nodes } = await page(source, `limit=3&cursor=${nextCursor ?? ''}`);
    expect(nodes.map(({ name }) => name)).toEqual(['c/n4', 'c/n4a', 'c/n5']);
  });

  test('have only the nodes that match', async () => {
    const source = new MemoryV1Source(many);
    source.entries.set('c/x1', nodeEntry('c/x1', { verdict: 'broken', zone: 'a' }));
    const matching = async (query: string) =>
      (await page(source, query)).nodes.map(({ name }) => name);
    expect(await matching('state=broken')).toEqual(['c/x1']);
    expect(await matching('zone=a')).toEqual(['c/x1']);
    expect(await matching('zone=&name=n3')).toEqual(['c/n3']);
  });

  test('work with hostile names', async () => {
    const hostile = ['c/\u0000', 'c/ä/\u202e', 'c/"\'<&\n', 'c/\u{1f4a9}'].sort();
    const source = new MemoryV1Source(hostile);
    const first = await page(source, 'limit=2');
    const second = await page(source, `limit=2&cursor=${first.nextCursor ?? ''}`);
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(hostile);
    for (const name of hostile) {
      const answer = await ask(`/v1/nodes/${encodeURIComponent(name)}`, {}, source);
      expect(await answer.json()).toMatchObject({ name });
    }
  });
});
