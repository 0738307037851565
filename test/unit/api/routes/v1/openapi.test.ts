import { expect, test } from 'vitest';
import { createJsonApi } from '../../../../../api/routes/json-api.js';
import { MemoryV1Source } from '../../../../doubles/v1-source.js';

interface Document {
  readonly paths: Record<string, { get: { operationId?: string; parameters?: Parameter[] } }>;
  readonly components: { readonly schemas: Record<string, object> };
}
interface Parameter {
  readonly name: string;
  readonly schema: object;
}

async function describeApi(): Promise<Document> {
  const unused = () => expect.fail('the document needs no answers');
  const app = createJsonApi({ status: unused, history: unused, v1: new MemoryV1Source() });
  const answer = await app.request('/openapi.json', { headers: { host: 'localhost' } });
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
    ['/v1/events', 'streamEvents'],
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
