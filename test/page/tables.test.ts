import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `prod/n${at + 1}`);

function namesIn(rows: Locator): Promise<string[]> {
  return rows.locator('th').allTextContents();
}

test('nodes are in natural order until a heading sorts them, and the URL keeps the order', async () => {
  const { cluster, dashboard, page } = await start({
    nodes: 12,
    zones: ['b', 'a'],
    names: numbered(12),
  });
  cluster.breakEndpoint('prod/n11');
  const rows = page.locator('.nodes-table tbody tr');
  await dashboard.open('/nodes');
  const natural = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11', 'n12'];
  await expect.poll(() => namesIn(rows)).toEqual(natural);

  await page.getByRole('button', { name: 'Zone' }).click();
  await expect.poll(async () => (await namesIn(rows)).slice(0, 2)).toEqual(['n7', 'n8']);
  expect(dashboard.path).toBe('/nodes?sort=zone');
  const zone = page.getByRole('columnheader', { name: 'Zone' });
  expect(await zone.getAttribute('aria-sort')).toBe('ascending');

  await page.getByRole('button', { name: 'Verdict' }).click();
  await expect.poll(async () => (await namesIn(rows))[0]).toBe('n11');
  await page.getByRole('button', { name: 'Verdict' }).click();
  await expect.poll(async () => (await namesIn(rows)).at(-1)).toBe('n11');
  await dashboard.open(dashboard.path);
  await expect.poll(async () => (await namesIn(rows)).at(-1)).toBe('n11');
  expect(dashboard.path).toBe('/nodes?sort=-verdict');
});

test('a column that does not exist sorts nothing', async () => {
  const { dashboard } = await start({ nodes: 11, zones: [''], names: numbered(11) });
  await dashboard.open('/nodes?sort=-nosuch');
  const rows = dashboard.page.locator('.nodes-table tbody tr');
  await expect.poll(async () => (await namesIn(rows)).slice(0, 3)).toEqual(['n1', 'n2', 'n3']);
});

test('the worst of many nodes is found by sorting, and the rest is told and can be shown', async () => {
  const { cluster, dashboard } = await start({
    nodes: 300,
    zones: ['a'],
    names: numbered(300),
  });
  cluster.breakEndpoint('prod/n298');
  await dashboard.open('/nodes?sort=verdict');
  const rows = dashboard.page.locator('.nodes-table tbody tr');
  await expect.poll(async () => (await namesIn(rows))[0]).toBe('n298');
  expect(await rows.count()).toBe(200);
  const main = dashboard.page.locator('main');
  expect(await main.textContent()).toContain('200 of 300 are shown.');
  await dashboard.page.getByRole('button', { name: 'More rows' }).click();
  await expect.poll(() => rows.count()).toBe(300);
});

test('the rows and columns of the matrix are in natural order', async () => {
  const { dashboard } = await start({ nodes: 11, zones: [''], names: numbered(11) });
  await dashboard.open('/matrix');
  await dashboard.untilPainted();
  await dashboard.matrix.focus();
  const status = dashboard.page.getByRole('status').filter({ hasText: '→' });
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) {
    await dashboard.page.keyboard.press(key);
  }
  await expect.poll(() => status.textContent()).toContain('n2 → n3: reachable');
});

test('a phone is shown that columns are cut, and a tap on the mark brings them', async () => {
  const { dashboard, page } = await start(undefined, { viewport: { width: 390, height: 844 } });
  await dashboard.open('/nodes');
  const scroller = page.getByRole('region', { name: 'Table of nodes' });
  const mark = page.locator('.cut-mark');
  await mark.waitFor();
  const name = page.locator('.nodes-table tbody th').first();
  const left = (await name.boundingBox())?.x;
  // The mark goes in the frame after the last scroll, so the table says whether there is one to tap.
  const scrolled = () =>
    scroller.evaluate(({ scrollWidth, scrollLeft, clientWidth }) => ({
      left: scrollLeft,
      isCut: scrollWidth - scrollLeft - clientWidth > 1,
    }));
  for (let tap = 0; tap < 10; tap++) {
    const before = await scrolled();
    if (!before.isCut) break;
    await mark.click();
    await expect.poll(async () => (await scrolled()).left).toBeGreaterThan(before.left);
  }
  await expect.poll(() => mark.count()).toBe(0);
  expect((await name.boundingBox())?.x).toBe(left);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect.poll(() => mark.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await mark.waitFor();
});
