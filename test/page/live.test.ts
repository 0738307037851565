import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test('a fault shows without a reload, is announced, and disappears when it is repaired', async () => {
  const { cluster, dashboard } = await start();
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is well');
  cluster.kill('prod/west-1');
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is broken1 finding');
  expect(await dashboard.findings.first().textContent()).toContain('west-1 is down');
  const said = dashboard.page.locator('[aria-live="polite"]');
  expect(await said.first().textContent()).toBe('The cluster is broken. 1 finding.');
  await dashboard.pointAt('east → west: 4 failing of 16 pairs');
  cluster.repair();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is well');
  expect(await dashboard.findings.count()).toBe(0);
});

test('the page says that its agent is away, turns grey, and recovers by itself', async () => {
  const { cluster, api, dashboard, page } = await start();
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is well');
  await api.stop();
  const banner = page.locator('.away-banner');
  await expect.poll(() => banner.count()).toBe(1);
  expect(await banner.textContent()).toMatch(/^The agent does not answer since [\d:]{8} \(\d+ s\)/);
  expect(await page.locator('main').getAttribute('class')).toBe('is-away');
  await expect.poll(() => page.title()).toBe('No answer · meshprobe');
  expect(await page.locator('[aria-live="polite"]').first().textContent()).toBe(
    'The agent does not answer.',
  );
  cluster.breakEndpoint('prod/west-1');
  await api.start();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is broken1 finding');
  expect(await banner.count()).toBe(0);
  await page.getByRole('link', { name: 'Events' }).click();
  await expect.poll(() => page.locator('.event').count()).toBe(3);
});

test('the page says within seconds that its agent has frozen', async () => {
  const { api, dashboard, page } = await start();
  await page.clock.install();
  await dashboard.open('/nodes');
  const phase = page.locator('.phase');
  await expect.poll(() => phase.textContent()).toBe('live');
  api.freeze();
  // The page's own clock: the goal is five seconds, and it was fourteen.
  // Far enough ahead that a busy machine sends this before the page has come there.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 4000));
  await page.clock.runFor(5000);
  await expect.poll(() => phase.textContent()).toBe('no answer');
  await page.clock.resume();
  await api.stop();
  await api.start();
  await expect.poll(() => phase.textContent()).toBe('live');
});

test('the page says that a busy agent has not answered in time, and shows what it had', async () => {
  const { cluster, dashboard, page } = await start();
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms === 30_000 ? 500 : ms);
  });
  await dashboard.open('/nodes');
  const refusal = page.locator('.refusal');
  await expect.poll(() => dashboard.rows('Table of nodes').count()).toBe(12);
  await page.route('**/v1/nodes*', () => undefined);
  await page.getByLabel('Verdict').selectOption('broken');
  await expect.poll(() => refusal.textContent()).toContain('has not answered this in time');
  await page.unroute('**/v1/nodes*');
  await page.getByLabel('Verdict').selectOption('');
  await expect.poll(() => dashboard.rows('Table of nodes').count()).toBe(12);
  expect(await refusal.count()).toBe(0);
  await page.route('**/v1/nodes*', () => undefined);
  cluster.tell({ type: 'node', change: 'changed', node: 'prod/west-1' });
  await expect.poll(() => refusal.count()).toBe(1);
  expect(await dashboard.rows('Table of nodes').count()).toBe(12);
});

test('the page shows a storm of events and sends the agent at most one request a second', async () => {
  const { cluster, api, dashboard } = await start();
  await dashboard.open('/events');
  await expect.poll(() => dashboard.heading.textContent()).toBe('Events');
  const started = performance.now();
  for (let round = 0; round < 1500; round++) {
    cluster.tell({ type: 'node', change: 'changed', node: 'prod/west-1' });
  }
  cluster.kill('prod/west-2');
  const pill = dashboard.page.locator('.pill');
  await expect.poll(() => pill.textContent()).toBe('The cluster is broken');
  const seconds = (performance.now() - started) / 1000;
  const asked = api.asked.filter((path) => path === '/v1/summary').length;
  expect(asked).toBeLessThanOrEqual(3 + seconds);
  expect(await dashboard.page.locator('.event').count()).toBe(200);
});
