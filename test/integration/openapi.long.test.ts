import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pythonToolsFolder, type pythonTools } from '../../scripts/python-tools.js';
import { createHttpServer } from '../../agent/serving/http-server.js';
import { createJsonApi } from '../../api/routes/json-api.js';
import { targetBody } from '../doubles/targets.js';
import { endpointPlaneFinding, MemoryV1Source, pathChange } from '../doubles/v1-source.js';
import { useFolder } from '../resources/folder.js';
import { closeServer, listen } from '../resources/listen.js';

const token = 'correct-horse-battery';
const headers = { authorization: `Bearer ${token}` };

const folder = useFolder();
let url: string;
let documentFile: string;
beforeAll(async () => {
  const v1 = new MemoryV1Source(['c/n1', 'c/n2', 'c/n3']);
  v1.open = [endpointPlaneFinding()];
  v1.openTargets = [targetBody('cluster-dns', 3)];
  v1.events.add(pathChange('c/n2'));
  // The tool reads each answer to its end, so the event stream must end.
  v1.events.end();
  const status = { local: { name: 'c/n1' }, timestamp: '2026-11-21T10:00:00Z', nodes: [] };
  const body = Uint8Array.from(Buffer.from(JSON.stringify(status)));
  const metrics = {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    render: () => 'meshprobe_ready 1\n',
  };
  const server = createHttpServer(
    createJsonApi(
      { status: () => ({ body, etag: '"x"' }), history: () => undefined, v1 },
      { token: () => Promise.resolve(token), metrics },
    ),
  );
  url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  documentFile = join(folder, 'openapi.json');
  writeFileSync(documentFile, await (await fetch(`${url}/openapi.json`, { headers })).text());
  return () => closeServer(server);
});
/**
 * Finds a program on the PATH or where `npm run tools` installed it; undefined if it is not
 * installed.
 */
function findTool(name: keyof typeof pythonTools): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), pythonToolsFolder];
  return folders.map((one) => join(one, name)).find((tool) => existsSync(tool));
}

async function run(tool: string, args: readonly string[]): Promise<readonly [unknown, string]> {
  const child = spawn(tool, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [unknown];
  return [code, output];
}

// The tools read what one server serves, at the same time.
describe.concurrent('the OpenAPI document', () => {
  test('is valid', async (context) => {
    const tool = findTool('openapi-spec-validator');
    if (tool === undefined) {
      return context.skip('no openapi-spec-validator here: `npm run tools` installs it');
    }
    const [code, output] = await run(tool, [documentFile]);
    expect([code, output]).toEqual([0, expect.stringContaining('OK')]);
  });

  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_headers_conformance',
    'response_schema_conformance',
    'negative_data_rejection',
    'positive_data_acceptance',
    'ignored_auth',
    'unsupported_method',
  ].join(',');

  test('describes the API correctly for every request of schemathesis', async (context) => {
    const tool = findTool('schemathesis');
    if (tool === undefined) {
      return context.skip('no schemathesis here: `npm run tools` installs it');
    }
    const [code, output] = await run(tool, [
      'run',
      documentFile,
      '--url',
      url,
      '--header',
      `Authorization: ${headers.authorization}`,
      '--no-color',
      '--checks',
      checks,
      '--max-examples',
      '20',
      '--seed',
      '13',
      '--request-timeout',
      '10',
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining('API Operations:')]);
  }, 240_000);
});
