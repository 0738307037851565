import { expect, test } from 'vitest';
import { matrixQuerySchema } from '../../../../../api/schema/v1/queries.js';
import { createJsonApi } from '../../../../../api/routes/json-api.js';
import { MemoryV1Source } from '../../../../doubles/v1-source.js';

interface Document {
  readonly security: readonly object[];
  readonly paths: Record<string, { get: { operationId?: string; parameters?: Parameter[] } }>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly securitySchemes: Record<string, object>;
  };
}
interface Parameter {
  readonly name: string;
  readonly schema: object;
}

async function describeApi(token?: string): Promise<Document> {
  const unused = () => expect.fail('the document needs no answers');
  const app = createJsonApi(
    { status: unused, history: unused, v1: new MemoryV1Source() },
    {
      metrics: { contentType: 'text/plain', render: unused },
      ...(token !== undefined && { token: () => Promise.resolve(token) }),
    },
  );
  const headers = { host: 'localhost', authorization: `Bearer ${token ?? ''}` };
  const answer = await app.request('/openapi.json', { headers });
  return (await answer.json()) as Document;
}

test('the OpenAPI document has an operation for each path, and named schemas', async () => {
  const { paths, components } = await describeApi();
  const operations = Object.entries(paths).map(([path, { get }]) => [path, get.operationId]);
  expect(operations).toEqual([
    ['/v1beta/status', 'getStatus'],
    ['/v1beta/history', 'getHistory'],
    ['/v1/summary', 'getSummary'],
    ['/v1/findings', 'listFindings'],
    ['/v1/matrix', 'getMatrix'],
    ['/v1/nodes', 'listNodes'],
    ['/v1/nodes/{name}', 'getNode'],
    ['/v1/targets', 'listTargets'],
    ['/v1/targets/{name}', 'getTarget'],
    ['/v1/notices', 'listNotices'],
    ['/v1/events', 'streamEvents'],
    ['/metrics', 'getMetrics'],
  ]);
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining([
      'Summary',
      'Findings',
      'Finding',
      'ZoneMatrix',
      'NodeMatrix',
      'NodePage',
      'NodeEntry',
      'StreamEvent',
      'Status',
      'NodeStatus',
      'PathStatus',
      'ProtocolStatus',
      'History',
      'HistorySeries',
      'HistorySample',
      'Error',
    ]),
  );
});

test('the OpenAPI document says how the API asks for a token, and whether it does', async () => {
  const { components, security } = await describeApi();
  expect(components.securitySchemes).toMatchObject({
    apiToken: { type: 'http', scheme: 'bearer' },
  });
  expect(security).toEqual([{}, { apiToken: [] }]);
  expect((await describeApi('correct-horse-battery')).security).toEqual([{ apiToken: [] }]);
});

test('the OpenAPI document says which parameters of the matrix go together', async () => {
  const { paths } = await describeApi();
  const [{ schema } = { schema: {} }] = paths['/v1/matrix']?.get.parameters ?? [];
  const { anyOf } = schema as {
    anyOf: { properties: Record<string, object>; required?: string[] }[];
  };
  expect(anyOf.map(({ properties, required = [] }) => [Object.keys(properties), required])).toEqual(
    [
      [['by', 'plane', 'protocol'], []],
      [['by', 'plane', 'protocol', 'nodes', 'rowsAfter', 'zone'], ['by']],
      [
        ['by', 'plane', 'protocol', 'nodes', 'rowsAfter', 'zone', 'toZone'],
        ['by', 'zone', 'toZone'],
      ],
      [['target', 'by'], ['target']],
      [
        ['target', 'by', 'zone', 'nodes'],
        ['target', 'by'],
      ],
    ],
  );
  for (const { properties } of anyOf) {
    for (const property of Object.values(properties))
      expect(property).toHaveProperty('description');
  }
});

test('a text is as long as its characters, by the document and by the check', () => {
  const zone = '\u{1f980}'.repeat(507);
  expect(matrixQuerySchema.safeParse({ by: 'node', zone }).success).toBe(true);
  expect(matrixQuerySchema.safeParse({ by: 'node', zone: `${zone}x` }).success).toBe(false);
});

test('the OpenAPI document describes numbers of a query as numbers', async () => {
  const { paths } = await describeApi();
  const limit = paths['/v1/nodes']?.get.parameters?.find(({ name }) => name === 'limit');
  expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000 });
});

test('the OpenAPI document allows no empty node name', async () => {
  const { paths } = await describeApi();
  const node = paths['/v1beta/history']?.get.parameters?.find(({ name }) => name === 'node');
  expect(node).toMatchObject({ required: true, schema: { minLength: 1, maxLength: 507 } });
});

test('the OpenAPI document says in which unit each number is', async () => {
  const { components } = await describeApi();
  const { properties } = components.schemas['ProtocolStatus'] as {
    properties: Record<string, { type?: unknown; description?: string }>;
  };
  for (const name of ['latency', 'min', 'p50', 'p95', 'p99', 'max', 'connect', 'tcpRtt']) {
    expect(properties[name]?.description).toContain('in nanoseconds');
  }
});
