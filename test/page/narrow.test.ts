import { expect, test } from 'vitest';
import type { Dashboard } from './lib/dashboard.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();
const phone = { viewport: { width: 360, height: 740 } };

/** How much wider than the screen the page is. */
function excess({ page }: Dashboard): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
}

test('a finding with long commands fits a phone, and its names keep their letters together', async () => {
  const { cluster, dashboard } = await start(undefined, phone);
  cluster.breakEndpoint('prod/west-1');
  await dashboard.open();
  await dashboard.findings.first().locator('summary').click();
  const command = dashboard.page.locator('.commands code').first();
  await command.waitFor();
  expect(await excess(dashboard)).toBe(0);
  const boxes = await Promise.all(
    [command, dashboard.page.locator('main')].map((one) => one.boundingBox()),
  );
  expect((boxes[0]?.x ?? 0) + (boxes[0]?.width ?? 0)).toBeLessThanOrEqual(360);
  const name = dashboard.page
    .getByRole('region', { name: /^Evidence/ })
    .getByRole('link')
    .first();
  const height = (await name.boundingBox())?.height ?? Infinity;
  expect(height).toBeLessThan(40);
});

test.each([phone, {}])('a long zone name makes no tall rows: %j', async (options) => {
  const zone = `zone-${'x'.repeat(115)}`;
  const { dashboard } = await start({ nodes: 12, zones: [zone, 'b'] }, options);
  await dashboard.open('/nodes');
  const rows = dashboard.page.locator('.nodes-table tbody tr');
  await expect.poll(() => rows.count()).toBe(12);
  for (const row of await rows.all()) {
    expect((await row.boundingBox())?.height ?? Infinity).toBeLessThan(60);
  }
  expect(await excess(dashboard)).toBe(0);
  expect(await rows.first().locator('.clipped').last().getAttribute('title')).toContain('b');
  expect(await rows.last().locator('td .clipped').getAttribute('title')).toBe(zone);
});

test('counts of what fails follow a comma, and the hint of the matrix is whole', async () => {
  const { cluster, dashboard } = await start(undefined, phone);
  cluster.kill('prod/west-1');
  await dashboard.open();
  const path = dashboard.page.locator('.own-path').first();
  await expect.poll(() => path.textContent()).toBe('host ICMP11 of 12, 1 failing');
  const failing = path.locator('.bad');
  expect((await failing.boundingBox())?.height ?? Infinity).toBeLessThan(30);
  await dashboard.untilPainted();
  const hint = await dashboard.readout.evaluate(({ scrollWidth, clientWidth }) => [
    scrollWidth,
    clientWidth,
  ]);
  expect(hint[0]).toBe(hint[1]);
});

test('the head of a page is one line on a narrow window, beside the verdict too', async () => {
  const { cluster, dashboard } = await start(undefined, { viewport: { width: 1000, height: 660 } });
  cluster.breakEndpoint('prod/west-1');
  await dashboard.open('/nodes');
  await dashboard.page.locator('.pill').waitFor();
  const head = await dashboard.page.locator('.page-header').boundingBox();
  expect(head?.height ?? Infinity).toBeLessThan(60);
});
