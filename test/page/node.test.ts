import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test("a node's page shows its paths, its observers, its round trips with the losses, and its events", async () => {
  const { cluster, dashboard, page } = await start();
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open('/nodes/prod%2Fwest-3');
  const paths = dashboard.rows('Table of paths');
  await expect.poll(() => paths.count()).toBe(4);
  expect(await paths.nth(0).textContent()).toMatch(/^hostICMP reachable\d/);
  expect(await paths.nth(2).textContent()).toMatch(
    /^endpointICMP unreachable Connection timed out/,
  );

  const groups = page.locator('.observer-groups');
  await expect.poll(() => groups.textContent()).toMatch(/^unreachable 11east-1/);
  await page.getByRole('button', { name: 'host ICMP' }).click();
  await expect.poll(() => groups.textContent()).toMatch(/^reachable 11east-1/);

  const chart = page.locator('.chart canvas').first();
  await dashboard.untilPainted(chart);
  const red = await dashboard.token('--cell-unreachable');
  expect((await dashboard.colors(chart))[red] ?? 0).toBeGreaterThan(50);
  const figures = page.getByRole('region', { name: 'Figures of the last probes' });
  expect(await figures.locator('tbody tr').nth(2).textContent()).toContain(
    'endpoint 198.19.0.11ICMP',
  );
  expect(await figures.locator('tbody tr').nth(2).textContent()).toContain('14 of 60');

  const events = page.locator('.event-words');
  await expect
    .poll(() => events.allTextContents())
    .toEqual([
      'Finding opened: 11 of 11 nodes cannot reach the endpoint of west-3; its node IP answers all of them',
      'endpoint HTTP 198.19.0.11: reachable → unreachable (Connection timed out)',
      'endpoint ICMP 198.19.0.11: reachable → unreachable (Connection timed out)',
    ]);
});

test("a node's page shows what its host shows and what changed on it, and findings name both", async () => {
  const { cluster, dashboard, page } = await start();
  cluster.changeMtu('prod/west-3', 120);
  cluster.fillConntrack('prod/west-3');
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open('/nodes/prod%2Fwest-3');
  const host = page.getByRole('region', { name: 'Its host' });
  await expect
    .poll(() => host.locator('.event-words').allTextContents())
    .toEqual([
      'conntrack table full (262,144 of 262,144)',
      'interface eth0 went from MTU 1500 to 1400 (at that time, or up to 10 s before)',
    ]);
  expect(await host.locator('time').first().textContent()).toMatch(/\(1 min ago\)$/);

  await page.getByRole('list', { name: 'Findings about this node' }).getByRole('link').click();
  const finding = page.getByRole('article');
  await expect
    .poll(() => finding.locator('h3').allTextContents())
    .toEqual(['At the same time', 'Before it', 'What to do next']);
  expect(await finding.locator('.event-words').allTextContents()).toEqual([
    'west-3 conntrack table full (262,144 of 262,144)',
    'west-3 interface eth0 went from MTU 1500 to 1400 (at that time, or up to 10 s before)',
  ]);
  await dashboard.open('/nodes/prod%2Fwest-2');
  await page.getByRole('heading', { name: 'Round trips' }).waitFor();
  expect(await host.count()).toBe(0);
});

test('changes stand beside findings in the events, at the time when they were found', async () => {
  const { cluster, dashboard, page } = await start();
  cluster.changeMtu('prod/west-3', 120);
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open('/events');
  await page.locator('select').selectOption({ label: 'findings and changes' });
  await expect
    .poll(() => page.locator('.event-words').allTextContents())
    .toEqual([
      expect.stringMatching(/^west-3 Finding opened: 11 of 11 nodes/),
      'west-3 interface eth0 went from MTU 1500 to 1400 (at that time, or up to 10 s before)',
    ]);
  expect(await page.locator('.event time').last().textContent()).toMatch(/\(2 min ago\)$/);
  expect(dashboard.path).toBe('/events?type=finding%2Cchange');
  await page.locator('select').selectOption('change');
  await expect.poll(() => page.locator('.event').count()).toBe(1);
});

test('a node that is named without its cluster has its events too', async () => {
  const { cluster, dashboard } = await start();
  cluster.failPair('prod/east-1', 'prod/west-3');
  await dashboard.open('/nodes/west-3');
  await expect.poll(() => dashboard.page.locator('.event').count()).toBe(4);
});

test('a frozen observer does not count, and no node counts as an observer of itself', async () => {
  const { cluster, dashboard } = await start();
  cluster.kill('prod/west-3');
  cluster.silent.clear();
  cluster.stale.add('prod/west-3');
  cluster.stale.add('prod/east-2');
  await dashboard.open('/nodes/prod%2Fwest-3');
  const groups = dashboard.page.locator('.observer-groups');
  await expect
    .poll(() => groups.textContent())
    .toMatch(/^unreachable 10east-1[^]*no report, or a stale one 1east-2$/);
});

test('marks in the charts are explained, and a loss of zero that the API leaves out is zero', async () => {
  const { cluster, dashboard } = await start();
  cluster.losesNothing = true;
  await dashboard.open('/nodes/prod%2Fwest-3');
  const captions = dashboard.page.locator('.chart-figure figcaption');
  await expect
    .poll(() => captions.first().textContent())
    .toBe('ICMP 2 not counted (○): the agent had no CPU time');
  const figures = dashboard.page.getByRole('region', { name: 'Figures of the last probes' });
  const losses = figures.locator('tbody tr').first().locator('td');
  expect((await losses.allTextContents()).slice(-4)).toEqual(['0 %', '0 %', '0 %', '0 of 60']);
});

test("the page of an unknown node shows the agent's message", async () => {
  const { dashboard } = await start();
  await dashboard.open('/nodes/prod%2Fnobody');
  await expect
    .poll(() => dashboard.page.getByRole('alert').textContent())
    .toBe('The agent refused: there is no node prod/nobody');
});
