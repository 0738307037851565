import { expect, test } from 'vitest';
import type { EventHistory } from '../../api/routes/v1/source.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test('the page of a well cluster begins with the verdict and its basis', async () => {
  const { dashboard } = await start();
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is well');
  expect(await dashboard.page.locator('.verdict').textContent()).toContain(
    '12 active nodes. 12 of 12 observers report, the oldest report 4\u00a0s old.',
  );
  expect(await dashboard.findings.count()).toBe(0);
  await expect.poll(() => dashboard.page.title()).toBe('The cluster is well · meshprobe');
});

test('the reason why the agent does not know yet is told in place of a good verdict', async () => {
  const { cluster, dashboard } = await start();
  cluster.notKnown = '3 failing pairs, cause not known yet <b>\u202e';
  cluster.unexplained = 3;
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('Not known yet');
  const banner = dashboard.page.locator('.verdict');
  expect(await banner.locator('.verdict-reason').textContent()).toBe(
    '3 failing pairs, cause not known yet <b>\\u202e.',
  );
  expect(await banner.textContent()).toContain('12 of 12 observers report');
  expect(await dashboard.page.locator('.findings').textContent()).toContain(
    '3 failing pairs, cause not known yet.',
  );
});

test('failing pairs without a cause are told beside the findings', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakEndpoint('prod/west-3');
  cluster.unexplained = 2;
  await dashboard.open();
  const reason = dashboard.page.locator('.verdict-reason');
  await expect.poll(() => reason.textContent()).toBe('2 failing pairs more, cause not known yet.');
});

test('the findings of a broken cluster are listed worst first, and each opens to evidence and commands', async () => {
  const { cluster, dashboard } = await start();
  cluster.loseProbes('prod/east-2');
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is broken2 findings');
  const [first, second] = await dashboard.findings.all();
  expect(await first?.getAttribute('class')).toContain('finding-broken');
  expect(await second?.getAttribute('class')).toContain('finding-degraded');
  await first?.locator('summary').click();
  expect(await first?.locator('code').first().textContent()).toBe(
    'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=west-3',
  );
  expect(await first?.locator('tbody tr').count()).toBe(10);
  expect(await first?.locator('tbody tr').first().textContent()).toContain('Connection timed out');
});

test('the cluster of a name is shown where there are two of them', async () => {
  const { dashboard } = await start({ nodes: 2, zones: [''], names: ['prod/a', 'test/b'] });
  await dashboard.open('/nodes');
  await expect.poll(() => dashboard.link('test/b').count()).toBe(1);
  const { dashboard: single } = await start({ nodes: 2, zones: [''], names: ['prod/a', 'prod/b'] });
  await single.open('/nodes/prod/b');
  await expect.poll(() => single.heading.textContent()).toBe('b');
});

test('a filter that hides all events does not say that nothing has happened', async () => {
  const { cluster, dashboard } = await start();
  cluster.failPair('prod/east-1', 'prod/west-1');
  await dashboard.open('/events');
  const main = dashboard.page.locator('main');
  await expect.poll(() => main.locator('.event').count()).toBeGreaterThan(0);
  await dashboard.page.getByLabel('Show').selectOption('list');
  await expect.poll(() => main.textContent()).toMatch(/None of the \d+ events is of this kind/);
  expect(await main.textContent()).not.toContain('Nothing has changed');
});

test('the filters of the events are in the URL, and every type can be chosen', async () => {
  const { cluster, dashboard, page } = await start();
  cluster.failPair('prod/east-1', 'prod/west-1');
  cluster.failPair('prod/east-1', 'prod/west-2');
  cluster.tell({
    type: 'target',
    target: 'cluster-dns',
    plane: 'host',
    previousState: 'reachable',
    state: 'unreachable',
  });
  cluster.tell({
    type: 'hops',
    node: 'prod/west-1',
    plane: 'host',
    address: '198.18.0.9',
    previousHops: 2,
    hops: 4,
  });
  const words = page.locator('.event-words');
  await dashboard.open('/events?type=target');
  await expect
    .poll(() => words.allTextContents())
    .toEqual(['Target cluster-dns, host: reachable → unreachable']);
  await page.getByLabel('Show').selectOption('hops');
  expect(dashboard.path).toBe('/events?type=hops');
  await expect
    .poll(() => words.allTextContents())
    .toEqual(['west-1 host 198.18.0.9: replies take 2 → 4 hops']);
  await dashboard.open('/events?type=path&node=prod%2Fwest-1');
  await expect.poll(() => words.count()).toBe(4);
  expect((await words.allTextContents()).every((one) => one.startsWith('west-1'))).toBe(true);
  await page.getByRole('button', { name: 'Node west-1' }).click();
  expect(dashboard.path).toBe('/events?type=path');
  await expect.poll(() => words.count()).toBe(8);
});

test('a finding has a page of its own, which says if the finding has closed', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open();
  await dashboard.findings.first().locator('summary').click();
  await dashboard.link('Link to this finding').click();
  expect(dashboard.path).toBe('/findings/endpoint-plane%3Aprod%2Fwest-3');
  await expect.poll(() => dashboard.heading.textContent()).toContain('west-3');
  cluster.repair();
  await expect.poll(() => dashboard.heading.textContent()).toBe('This finding is no longer open');
});

test('the search box finds nodes by a part of their name, and a row links to the node', async () => {
  const { dashboard } = await start();
  await dashboard.open();
  await dashboard.page.getByRole('searchbox', { name: 'Search a node' }).fill('west');
  await dashboard.page.keyboard.press('Enter');
  await expect.poll(() => dashboard.path).toBe('/nodes?name=west');
  const rows = dashboard.page.locator('.nodes-table tbody tr');
  await expect.poll(() => rows.count()).toBe(4);
  await dashboard.link('west-2').click();
  await expect.poll(() => dashboard.heading.textContent()).toBe('west-2');
});

test('every view has its own URL, and the back button returns to the previous view', async () => {
  const { dashboard, page } = await start();
  await dashboard.open();
  await dashboard.page.getByRole('link', { name: 'endpoint HTTP' }).click();
  await dashboard.pointAt('north → west');
  const visited = [dashboard.path];
  const at = await dashboard.pointAt('north → west');
  await dashboard.matrix.click({ position: at });
  visited.push(dashboard.path);
  await page.getByRole('link', { name: 'Nodes', exact: true }).click();
  visited.push(dashboard.path);
  await dashboard.link('north-1').click();
  visited.push(dashboard.path);
  await page.getByRole('link', { name: 'Events' }).click();
  visited.push(dashboard.path);
  expect(visited).toEqual([
    '/?plane=endpoint&protocol=http',
    '/zones/north/west?plane=endpoint&protocol=http',
    '/nodes',
    '/nodes/prod%2Fnorth-1',
    '/events',
  ]);
  for (const path of visited.slice(0, -1).reverse()) {
    await page.goBack();
    expect(dashboard.path).toBe(path);
  }
  await dashboard.untilPainted();
  for (const path of visited) {
    await dashboard.open(path);
    await dashboard.heading.waitFor();
    expect(dashboard.path).toBe(path);
  }
});

test("times are shown in the reader's zone, with their age", async () => {
  const { cluster, api, dashboard } = await start(undefined, { timezoneId: 'Asia/Tokyo' });
  cluster.kill('prod/west-1');
  await dashboard.open('/events');
  const time = dashboard.page.locator('.event time').last();
  const inTokyo = inZone('Asia/Tokyo', cluster.events);
  await expect.poll(() => time.textContent()).toMatch(/^[\d:]{8} \(\d+ s ago\)$/);
  expect(await time.textContent()).toContain(inTokyo);
  expect(api.asked).toContain('/v1/events?after=0');
});

/** The time of the first event on a clock in that zone. */
function inZone(timeZone: string, events: EventHistory): string {
  const [first] = events.after(0, 1).events;
  const { at } = JSON.parse(first?.json ?? '{}') as { at: string };
  return new Date(at).toLocaleTimeString('en-GB', { timeZone });
}
