import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Findings } from '../../api/schema/v1/findings.js';
import { freePort } from '../integration/lib/free-port.js';
import { useFolder } from '../resources/folder.js';
import { noBrowser } from './lib/browser.js';
import type { Dashboard } from './lib/dashboard.js';
import { setUpPage } from './lib/setup.js';

// The pictures of the README, and what it prints of `meshprobe diagnose`: nine real agents on loopback, two real faults.
// The pictures are written to docs/images only with PAGE_PICTURES=write.

const root = join(import.meta.dirname, '../..');
const agent = join(root, 'dist/agent/main.js');
const cli = join(root, 'dist/cli/main.js');
const keep = process.env['PAGE_PICTURES'] === 'write';
const folder = useFolder();
const pictures = keep ? join(root, 'docs/images') : folder;
const polling = { timeout: 90_000, interval: 250 };
const { look } = setUpPage();

const nodes = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'].flatMap((zone, at) =>
  [1, 2, 3].map((number) => ({
    name: `prod/${zone}-0${number}`,
    zone,
    host: `127.0.3.${3 * at + number}`,
    endpoint: `127.0.4.${3 * at + number}`,
  })),
);
const socketPath = join(folder, 'health.sock');
const children: ChildProcess[] = [];
const responders = new Map<string, ChildProcess>();
const agents = new Map<string, ChildProcess>();
let url = '';

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [agent, ...args], { stdio: 'ignore' });
  children.push(child);
  return child;
}

beforeAll(async () => {
  if (noBrowser !== undefined) return;
  const nodesFile = join(folder, 'nodes.json');
  writeFileSync(nodesFile, JSON.stringify({ nodes }));
  const port = String(keep ? 4240 : await freePort());
  url = `http://127.0.0.1:${await freePort()}`;
  for (const [at, { name, host, endpoint }] of nodes.entries()) {
    const flags = {
      'node-name': name,
      'nodes-file': nodesFile,
      'socket-path': at === 0 ? socketPath : join(folder, `${at}.sock`),
      'probe-port': port,
      'listen-address': host,
      'health-listen': `${host}:${await freePort()}`,
      'icmp-interval': '2s',
      'http-interval': '2s',
      // What this machine was busy with is not in the README.
      'host-signs': 'off',
      ...(at === 0 && { 'api-listen': url.slice('http://'.length) }),
    };
    agents.set(name, start(Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])));
    const responder = ['responder', '--listen-address', endpoint, '--probe-port', port];
    responders.set(name, start(responder));
  }
});
afterAll(async () => {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode);
  const ended = running.map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
});

async function findings(): Promise<Findings> {
  return (await (await fetch(`${url}/v1/findings`)).json()) as Findings;
}

function briefOf({ id, seenBy }: Findings['findings'][number]): string {
  return `${id} seen by ${seenBy.failing} of ${seenBy.of}`;
}

async function take(dashboard: Dashboard, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await dashboard.page.mouse.move(0, 0);
  await dashboard.page.screenshot({ path: join(pictures, `${name}.png`) });
}

test(
  'the pictures and the text of the README are those of a real mesh',
  { timeout: 300_000 },
  async () => {
    const dashboard = await look(url, { viewport: { width: 1000, height: 780 } });
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        polling,
      )
      .toBe(200);
    await dashboard.open();
    await expect.poll(() => dashboard.verdict.textContent(), polling).toBe('The cluster is well');

    const frozen = [responders.get('prod/eu-west-1b-03'), agents.get('prod/eu-west-1c-02')];
    onTestFinished(() => {
      for (const process of frozen) process?.kill('SIGCONT');
    });
    for (const process of frozen) process?.kill('SIGSTOP');
    // The frozen agent sees nothing, and a node is no observer of itself.
    await expect
      .poll(async () => (await findings()).findings.map(briefOf).toSorted(), polling)
      .toEqual([
        'agent:prod/eu-west-1c-02 seen by 8 of 8',
        'endpoint:prod/eu-west-1b-03 seen by 7 of 7',
      ]);
    // The first observers tell before it is known what still works.
    await expect
      .poll(async () => (await findings()).findings.map(({ text }) => text).join('\n'), polling)
      .toMatch(/answers ping\b[^]+answers ping\b/);
    await expect
      .poll(async () => {
        const told = (await findings()).findings.map(({ text }) => text.replaceAll('prod/', ''));
        const shown = await dashboard.page.locator('details .finding-text').allTextContents();
        return { isSame: shown.toSorted().join() === told.toSorted().join(), count: shown.length };
      }, polling)
      .toEqual({ isSame: true, count: 2 });
    await dashboard.untilPainted();
    await take(dashboard, 'page-overview');

    const diagnose = () => {
      const { status, stdout } = spawnSync(process.execPath, [cli, '-H', socketPath, 'diagnose'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      });
      expect(status).toBe(4);
      return stdout;
    };
    if (keep) writeFileSync(join(tmpdir(), 'meshprobe-diagnose.txt'), diagnose());
    const node = await look(url, { viewport: { width: 1000, height: 660 }, colorScheme: 'dark' });
    await node.open('/nodes/prod%2Feu-west-1b-03');
    await node.untilPainted(node.page.locator('.chart canvas').first());
    await node.untilPainted(node.page.locator('.chart canvas').last());
    await take(node, 'page-node');

    // Where the machine is busy, agents of it are starved, and a finding goes and comes.
    const withoutFigures = (text: string) =>
      text
        .replaceAll(/; it has come and gone .+$/gm, '')
        .replaceAll(/[\d.]+(m[\d.]+s|ms|s)?|silent|stale/g, 'N');
    const readme = withoutFigures(readFileSync(join(root, 'README.md'), 'utf8'));
    // An agent that is starved for a moment says so too.
    await expect
      .poll(() => withoutFigures(diagnose()), polling)
      .toSatisfy((text: string) => readme.includes(text));
  },
);
