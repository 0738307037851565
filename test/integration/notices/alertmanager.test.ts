import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseNotifyFile } from '../../../agent/notices/definition/notify-file.js';
import type { Receiver } from '../../../agent/notices/definition/receiver.js';
import type { Notice } from '../../../agent/notices/notice.js';
import { renewAlerts, sendNotice } from '../../../agent/notices/sending/send-notice.js';
import { useFolder } from '../../resources/folder.js';
import { freePort } from '../lib/free-port.js';
import { ReceiverServer } from './lib/receiver-server.js';
import { makeFinding } from '../../rows/make-finding.js';
import { makeNotice } from '../../rows/make-notice.js';

const program = 'prometheus-alertmanager';
const isThere = spawnSync(program, ['--version']).status === 0;
const signal = new AbortController().signal;

interface ShownAlert {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly startsAt: string;
  readonly endsAt: string;
}

/** What was found five seconds ago, with characters that a receiver must not take for its own. */
function notice(more: Partial<Notice> = {}): Notice {
  const now = Date.now();
  const finding = makeFinding({
    node: 'c/n7',
    since: new Date(now - 5000).toISOString(),
    text: 'none of 11 nodes reaches c/n7 <b>"\n\u202e',
    docs: 'https://docs.example/#node-down',
    next: ['kubectl get node n7 -o wide'],
  });
  return makeNotice({ finding, at: new Date(now).toISOString(), ...more });
}

describe('a real Alertmanager', () => {
  const folder = useFolder();
  let child: ChildProcess;
  let url = '';
  let hook: ReceiverServer;
  let receiver: Receiver;

  beforeEach(({ skip }) => skip(!isThere, `no ${program} here`));
  beforeAll(async () => {
    if (!isThere) return;
    hook = await new ReceiverServer().listen();
    const [port, config] = [await freePort(), join(folder, 'config.yml')];
    url = `http://127.0.0.1:${port}`;
    const route = { receiver: 'hook', group_wait: '100ms', group_interval: '1s' };
    const receivers = [{ name: 'hook', webhook_configs: [{ url: hook.url, send_resolved: true }] }];
    writeFileSync(config, JSON.stringify({ route, receivers }));
    const flags = [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ];
    child = spawn(program, flags, { stdio: 'ignore' });
    const isReady = async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200);
    await vi.waitFor(isReady, { timeout: 30_000, interval: 100 });
    const one = { name: 'am', type: 'alertmanager', url: `${url}/` };
    const [read] = parseNotifyFile(JSON.stringify({ receivers: [one] }));
    if (!read) throw new Error('expected a receiver');
    receiver = read;
  }, 60_000);

  afterAll(async () => {
    if (!isThere) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill();
    await ended;
    await hook.close();
  });

  const shown = async (): Promise<ShownAlert[]> =>
    (await (await fetch(`${url}/api/v2/alerts`)).json()) as ShownAlert[];

  /** Tells that a storm is over, which has no finding, and waits until nothing is shown. */
  async function endStorm(): Promise<void> {
    const storm = { findings: 9, open: 0, texts: [] };
    const { finding, ...end } = notice({ event: 'storm', durationSeconds: 60, storm });
    expect(finding).toBeDefined();
    expect((await sendNotice(end, receiver, signal)).isTaken).toBe(true);
    await expect.poll(async () => (await shown()).length, { timeout: 20_000 }).toBe(0);
  }

  test('shows an opened finding with the labels of the alert rules, is told again, and closes it', async () => {
    expect(await sendNotice(notice(), receiver, signal)).toEqual({ isTaken: true, answer: '200' });
    const [alert] = await shown();
    expect(alert?.labels).toEqual({
      alertname: 'MeshprobeNodeDown',
      severity: 'critical',
      kind: 'node-down',
      subject: 'c/n7',
      cluster: 'c',
    });
    expect(alert?.annotations).toEqual({
      summary: 'none of 11 nodes reaches c/n7 <b>"\\x0a\\u{202e}',
      runbook_url: 'https://docs.example/#node-down',
      next_command: 'kubectl get node n7 -o wide',
    });
    const later = notice({ at: new Date(Date.now() + 60_000).toISOString() });
    expect((await renewAlerts([later], receiver, signal)).isTaken).toBe(true);
    const [renewed, ...others] = await shown();
    expect(others).toEqual([]);
    expect(Date.parse(renewed?.endsAt ?? '')).toBeGreaterThan(Date.parse(alert?.endsAt ?? ''));
    const over = notice({ event: 'closed', durationSeconds: 5 });
    expect((await sendNotice(over, receiver, signal)).isTaken).toBe(true);
    await expect.poll(async () => await shown(), { timeout: 20_000 }).toEqual([]);
    const told = () =>
      hook.posts.map(({ body }) => (JSON.parse(body) as { status: string }).status);
    await expect.poll(told, { timeout: 30_000 }).toEqual(['firing', 'resolved']);
  }, 90_000);

  test('ends the alert under its former labels when the severity changes', async () => {
    const { finding } = notice();
    if (!finding) throw new Error('expected a finding');
    const degraded = { ...finding, id: 'zones:a', kind: 'zones', severity: 'degraded' as const };
    const broken = { ...degraded, severity: 'broken' as const };
    const severities = async () =>
      (await shown()).map(({ labels }) => `${labels['alertname'] ?? ''} ${labels['kind'] ?? ''}`);
    expect((await sendNotice(notice({ finding: degraded }), receiver, signal)).isTaken).toBe(true);
    expect(await severities()).toEqual(['MeshprobeDegraded zones']);
    const changed = notice({ event: 'changed', finding: broken, earlier: [degraded] });
    expect((await sendNotice(changed, receiver, signal)).isTaken).toBe(true);
    await expect.poll(severities, { timeout: 20_000 }).toEqual(['MeshprobePlaneBroken zones']);
    const closed = notice({ event: 'closed', finding: broken, earlier: [degraded] });
    expect((await sendNotice(closed, receiver, signal)).isTaken).toBe(true);
    await expect.poll(severities, { timeout: 20_000 }).toEqual([]);
  }, 60_000);

  test('keeps the alert of a storm that is told again', async () => {
    const storm = { findings: 9, open: 9, texts: ['a is down'] };
    const first = notice({ event: 'storm', storm });
    expect((await sendNotice(first, receiver, signal)).isTaken).toBe(true);
    const [before] = await shown();
    const later = new Date(Date.now() + 60_000).toISOString();
    const again = notice({ event: 'storm', storm: { ...storm, open: 7 }, at: later });
    expect((await renewAlerts([again], receiver, signal)).isTaken).toBe(true);
    const [after, ...others] = await shown();
    expect(others).toEqual([]);
    expect(after?.startsAt).toBe(before?.startsAt);
    expect(Date.parse(after?.endsAt ?? '')).toBeGreaterThan(Date.parse(before?.endsAt ?? ''));
    await endStorm();
  }, 60_000);

  test('takes a storm, its end and a test', async () => {
    const storm = { findings: 9, open: 9, texts: ['a is down', 'b is down'] };
    expect((await sendNotice(notice({ event: 'storm', storm }), receiver, signal)).isTaken).toBe(
      true,
    );
    expect((await shown()).map(({ labels }) => labels['alertname'])).toEqual([
      'MeshprobeManyFindings',
    ]);
    await endStorm();
    const { finding: none, ...tested } = notice({ event: 'test' });
    expect(none).toBeDefined();
    expect((await sendNotice(tested, receiver, signal)).isTaken).toBe(true);
    expect((await shown()).map(({ labels }) => labels['alertname'])).toEqual(['MeshprobeTest']);
  }, 60_000);
});
