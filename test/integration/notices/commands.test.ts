import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, useAgentBench } from '../lib/agent-process.js';
import { freePort } from '../lib/free-port.js';
import { runHere } from '../lib/run-here.js';
import { ReceiverServer, status } from './lib/receiver-server.js';

const secret = 'hmac-Zq7Lk2Vw9Xt4';
const token = 'Bearer Yb5Nd8Rp3Cj6';
const path = '/hook/Gm1Hs0Ue6Ka3?key=Wf9Jo4Ti7Sx2';
const allSecrets = /Zq7Lk2|Vw9Xt4|Yb5Nd8|Rp3Cj6|Gm1Hs0|Ue6Ka3|Wf9Jo4|Ti7Sx2/i;
const polling = { timeout: 30_000, interval: 200 };

const bench = useAgentBench();
let good: ReceiverServer;
let echo: ReceiverServer;
beforeEach(async () => {
  good = await new ReceiverServer().listen();
  echo = await new ReceiverServer((response, post, count) => {
    const { authorization = '' } = post.headers;
    const said = `${post.path} ${authorization} ${secret} ${secret.slice(0, 13)}`;
    status(500, said)(response, post, count);
  }).listen();
});
afterEach(async () => {
  await Promise.all([good.close(), echo.close()]);
});

const socket = () => bench.path('n1.sock');

const cli = (...args: readonly string[]) => runHere(['-H', socket(), ...args]);

function notifyFile(receivers: readonly object[]): string {
  return bench.file('notify.yaml', JSON.stringify({ receivers }));
}

const webhook = (server: ReceiverServer, name: string, more: object = {}) => ({
  ...{ name, type: 'webhook', url: `${server.url}${path}` },
  ...more,
});

async function start(...args: readonly string[]) {
  const agent = bench.start([...bench.loneAgent(await freePort()), ...args]);
  const answers = async () =>
    (await ask(socket(), '/v1/notices').catch(() => ({ status: 0 }))).status;
  await expect.poll(answers, polling).toBe(200);
  return agent;
}

describe('meshprobe notify test', () => {
  test('sends a sample to each receiver of the notify file, and prints what each answered', async () => {
    const file = notifyFile([webhook(good, 'good'), webhook(good, 'other', { type: 'slack' })]);
    await start('--notify-file', file);
    const taken = await cli('notify', 'test');
    expect([taken.code, taken.stderr]).toEqual([0, '']);
    expect(taken.stdout).toMatch(
      /^Receiver +Type +Taken +Answer\ngood +webhook +yes +204\nother +slack +yes +204\n$/,
    );
    const [first, second] = good.posts;
    const events = [first, second].map((post) => JSON.parse(post?.body ?? '{}') as object);
    expect(events).toContainEqual(expect.objectContaining({ version: 1, event: 'test' }));
    expect(events).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('a test of meshprobe') as string }),
    );
    // The file is read again: one of these does not take it.
    const gone = `http://127.0.0.1:${await freePort()}/`;
    notifyFile([webhook(good, 'good'), { name: 'gone', type: 'alertmanager', url: gone }]);
    const failed = await cli('notify', 'test', '-o', 'json');
    expect(failed.code).toBe(4);
    expect(JSON.parse(failed.stdout)).toEqual({
      results: [
        { receiver: 'good', type: 'webhook', taken: true, answer: '204' },
        { receiver: 'gone', type: 'alertmanager', taken: false, answer: 'connection refused' },
      ],
    });
    expect((await cli('notices')).stdout).toContain('Nothing was told since this agent started.');
  });

  test('says so where the agent has no notify file', async () => {
    await start();
    const { code, stdout, stderr } = await cli('notify', 'test');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/without --notify-file\n$/);
    expect((await cli('notices')).stdout).toMatch(/^Nobody is told of findings/);
  });
});

test('no secret is in what an agent shows, logs and reports, whatever a receiver answers', async () => {
  const file = notifyFile([
    webhook(echo, 'echo', {
      secretFile: bench.file('secret', secret),
      headersFile: bench.file('headers', `Authorization: ${token}\n`),
    }),
    webhook(good, 'good'),
  ]);
  const agent = await start('--notify-file', file);
  const tested = await cli('notify', 'test');
  expect(echo.posts[0]?.headers.authorization).toBe(token);
  expect(tested.stdout).toMatch(/echo +webhook +no +500: (\.\.\. ?){4}\n/);
  // A mistake in the file, with a URL where a name belongs.
  notifyFile([{ name: `https://b.example${path}`, type: 'webhook', urlFile: '/u' }]);
  const problems = async () => JSON.stringify((await ask(socket(), '/v1beta/healthz')).body);
  await expect.poll(problems, polling).toContain('expected a name');
  const shown = [tested.stdout, await problems(), (await cli('report', '-')).stdout];
  shown.push(JSON.stringify((await ask(socket(), '/v1/notices')).body));
  expect(shown.every((text) => text.length > 20)).toBe(true);
  shown.push(agent.output, agent.errors);
  expect(shown.map((text) => allSecrets.exec(text)?.[0])).toEqual(shown.map(() => undefined));
}, 120_000);
