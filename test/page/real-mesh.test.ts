import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort } from '../integration/lib/free-port.js';
import { setUpPage } from './lib/setup.js';

const program = join(import.meta.dirname, '../../dist/mesh/main.js');
const { look } = setUpPage();
/** Rows travel with the probes, and findings wait for confirmation by other agents. */
const polling = { timeout: 60_000, interval: 250 };
let mesh: ChildProcess | undefined;

afterEach(async () => {
  const running = mesh;
  mesh = undefined;
  if (!running) return;
  const ended = new Promise((resolve) => running.once('close', resolve));
  running.kill('SIGTERM');
  await ended;
});

test(
  'the page of a real mesh shows its nodes, a fault, and the repair of the fault',
  { timeout: 240_000 },
  async () => {
    const child = spawn(
      process.execPath,
      [program, '--nodes', '4', '--probe-port', String(await freePort('127.0.1.1'))],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    mesh = child;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await expect.poll(() => output, polling).toContain('Cluster health:');
    const url = /^The page, .*: (http:\S+)\/$/m.exec(output)?.[1] ?? '';
    const endpointPid = Number(/kill -STOP (\d+) .*# freeze its endpoint/.exec(output)?.[1]);

    const dashboard = await look(url);
    const { page } = dashboard;
    await dashboard.open();
    await expect.poll(() => dashboard.verdict.textContent(), polling).toBe('The cluster is well');
    await expect
      .poll(() => page.locator('.verdict').textContent(), polling)
      .toContain('4 of 4 observers report');
    await page.getByRole('link', { name: 'host HTTP', exact: true }).click();
    // The rows of a starved machine may come a moment later than the observers are counted.
    await vi.waitFor(() => dashboard.pointAt('node3 → node2: reachable'), polling);

    process.kill(endpointPid, 'SIGSTOP');
    await expect.poll(() => dashboard.verdict.textContent(), polling).toContain('is broken');
    const finding = dashboard.findings.first();
    await expect.poll(() => finding.textContent(), polling).toContain('node2');
    await finding.locator('summary').click();
    expect(await finding.locator('code').count()).toBeGreaterThan(0);
    const meaning = finding.getByRole('link', { name: 'What endpoint-down means' });
    expect(await meaning.getAttribute('href')).toMatch(/\/when-it-says\.md#endpoint-down$/);
    await finding.getByRole('link', { name: 'node2' }).first().click();
    const paths = dashboard.rows('Table of paths');
    await expect.poll(() => paths.nth(3).textContent(), polling).toContain('unreachable');
    expect(await paths.nth(1).textContent()).toContain('reachable');
    await dashboard.untilPainted(page.locator('.chart canvas').last());
    await expect
      .poll(() => page.locator('.event-words').allTextContents(), polling)
      .toEqual(expect.arrayContaining([expect.stringMatching(/^endpoint HTTP .* unreachable/)]));

    const narrow = await look(url, {
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    await narrow.open();
    await expect.poll(() => narrow.verdict.textContent(), polling).toContain('is broken');
    await narrow.untilPainted();
    const width = () => narrow.page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(360);
    const red = await narrow.token('--cell-unreachable');
    await narrow.page.getByRole('link', { name: 'endpoint HTTP' }).click();
    await expect
      .poll(async () => (await narrow.colors(narrow.matrix))[red] ?? 0, polling)
      .toBeGreaterThan(0);
    await narrow.matrix.focus();
    await narrow.page.keyboard.press('n');
    await narrow.page.keyboard.press('Enter');
    await expect.poll(() => narrow.path, polling).toBe('/nodes/default%2Fnode2');

    process.kill(endpointPid, 'SIGCONT');
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => dashboard.verdict.textContent(), polling).toBe('The cluster is well');
    expect(await dashboard.findings.count()).toBe(0);
  },
);
