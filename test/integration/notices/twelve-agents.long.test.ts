import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { AgentBench, ask, type AgentProcess } from '../lib/agent-process.js';
import { freePort } from '../lib/free-port.js';
import { ReceiverServer, type ReceivedPost } from './lib/receiver-server.js';

// Twelve real agents on loopback, a real receiver, and writers that are killed while they write. The rules are tried by the
// hundred on a virtual clock in sim/notices.

const size = 12;
const host = (number: number): string => `127.0.8.${number}`;
const name = (number: number): string => `n${number}`;
/** A busy machine lets agents wait: nothing is told while they get no processor. */
const polling = { timeout: 420_000, interval: 500 };

interface Told {
  readonly receiver: string;
  readonly id: string;
  readonly event: string;
  readonly finding: string;
  readonly by: string;
}

let bench: AgentBench;
let server: ReceiverServer;
let probePort: number;
let nodesFile: string;
let notifyFile: string;
const agents = new Map<string, AgentProcess>();
const told: Told[] = [];
const deaths: string[] = [];

function start(number: number): void {
  const flags = {
    'node-name': name(number),
    'nodes-file': nodesFile,
    'notify-file': notifyFile,
    'socket-path': bench.path(`${name(number)}.sock`),
    'listen-address': host(number),
    'probe-port': String(probePort),
    'icmp-interval': '2s',
    'http-interval': '2s',
    'probe-timeout': '1s',
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  agents.set(name(number), bench.start(args));
}

/** SIGKILL, and a new agent at once, which knows nothing. */
async function replace(writer: string): Promise<void> {
  deaths.push(writer);
  await agents.get(writer)?.kill();
  start(Number(writer.slice(1)));
}

function readTold({ path, body }: ReceivedPost): Told {
  const { id, event, finding, storm, by } = JSON.parse(body) as {
    readonly id: string;
    readonly event: string;
    readonly finding?: { readonly id: string };
    readonly storm?: object;
    readonly by: string;
  };
  const about = storm ? 'storm' : (finding?.id ?? '');
  return { receiver: path.slice(1), id, event, finding: about, by: by.replace(/^.*\//, '') };
}

/** Of each six messages three kill who sends them: before it is taken, before its answer, and after it. */
function answer(response: ServerResponse, post: ReceivedPost, count: number): void {
  const one = readTold(post);
  const fate = count % 6;
  const isTaken = fate !== 1;
  if (isTaken) told.push(one);
  if (fate === 1 || fate === 3) {
    void replace(one.by).finally(() => response.destroy());
    return;
  }
  response.writeHead(204).end();
  if (fate === 5) response.on('finish', () => void replace(one.by));
}

beforeAll(async () => {
  bench = new AgentBench();
  server = await new ReceiverServer(answer).listen();
  probePort = await freePort();
  const numbers = Array.from({ length: size }, (_, at) => at + 1);
  const nodes = numbers.map((number) => ({ name: name(number), host: host(number) }));
  nodesFile = bench.file('nodes.json', JSON.stringify({ nodes }));
  const receivers = ['one', 'two'].map((receiver) => ({
    ...{ name: receiver, type: 'webhook', url: `${server.url}/${receiver}` },
    // What killed writers leave behind is told, too, if it lasts.
    kinds: ['agent-down'],
  }));
  notifyFile = bench.file('notify.json', JSON.stringify({ receivers }));
  for (const number of numbers) start(number);
  return async () => {
    await bench.close();
    await server.close();
  };
}, 60_000);
afterAll(() => agents.clear());

async function findings(number: number): Promise<string[]> {
  const { body } = await ask(bench.path(`${name(number)}.sock`), '/v1/findings').catch(() => ({
    body: {},
  }));
  const { findings: open = [{ id: 'no answer' }] } = body as {
    readonly findings?: readonly { readonly id: string }[];
  };
  return open.map(({ id }) => id);
}

/** What some agent believes that a receiver is still to get. */
async function waiting(): Promise<string[]> {
  const names = [...agents].filter(
    ([, agent]) => agent.child.exitCode === null && agent.child.signalCode === null,
  );
  const each = await Promise.all(
    names.map(async ([one]) => {
      const none = { body: { receivers: [{ name: 'no answer', waiting: 1 }] } };
      const { body } = await ask(bench.path(`${one}.sock`), '/v1/notices').catch(() => none);
      const { receivers } = body as typeof none.body;
      return receivers.filter((all) => all.waiting > 0).map((all) => `${one} ${all.name}`);
    }),
  );
  return each.flat();
}

/** Messages by receiver and finding, each counted once by its id. */
function events(finding: string): string[] {
  const seen = new Set<string>();
  const of = told.filter(({ receiver, id, finding: about }) => {
    const key = `${receiver} ${id}`;
    if (about !== finding || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return of.map(({ receiver, event }) => `${receiver} ${event}`).sort();
}

test('each finding of twelve agents is told once as opened and once as closed, though writers die', async () => {
  onTestFailed(() => {
    console.error(JSON.stringify({ told, deaths }, undefined, 1));
    console.error(agents.get('n1')?.output.slice(-4000));
  });
  const all = async () => {
    const each = await Promise.all(Array.from({ length: size }, (_, at) => findings(at + 1)));
    return [...new Set(each.flat())];
  };
  await expect.poll(all, polling).toEqual([]);
  const victim = size;
  const agent = agents.get(name(victim));
  await agent?.kill();
  const id = `agent:default/${name(victim)}`;
  await expect.poll(() => events(id), polling).toEqual(['one opened', 'two opened']);
  // A sender that died at once told nobody: others tell it again before the finding may end.
  await expect.poll(waiting, polling).toEqual([]);
  start(victim);
  const whole = ['one closed', 'one opened', 'two closed', 'two opened'];
  await expect.poll(() => events(id), polling).toEqual(whole);
  // What else was told is of writers that were away for some seconds. It may end before anybody knows that it was told.
  const others = [...new Set(told.map(({ finding }) => finding))];
  const count = (finding: string, event: string): number =>
    events(finding).filter((text) => text.endsWith(event)).length;
  expect(others.filter((one) => count(one, 'closed') > count(one, 'opened'))).toEqual([]);
  expect(deaths.length).toBeGreaterThanOrEqual(3);
  const repeated = told.length - new Set(told.map(({ receiver, id }) => `${receiver} ${id}`)).size;
  process.stdout.write(
    `notices: ${told.length} messages of ${others.length} findings, ${deaths.length} writers died, ${repeated} came again with the same id\n`,
  );
}, 1_800_000);
