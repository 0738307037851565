import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test('a matrix of 1,000 by 1,000 scrolls and zooms; the times of its frames are printed', async () => {
  const { cluster, dashboard, page } = await start({
    nodes: 1000,
    zones: ['a', 'b', 'c', 'd', 'e'],
  });
  cluster.kill('prod/b-017');
  cluster.cutZones('d', 'e');
  await dashboard.open('/matrix');
  await dashboard.untilPainted();
  const box = await dashboard.matrix.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  const record = (act: () => Promise<void>) => measureFrames(act);
  const zooming = await record(async () => {
    for (let step = 0; step < 12; step++) {
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -60);
      await page.keyboard.up('Control');
    }
  });
  const scrolling = await record(async () => {
    for (let step = 0; step < 40; step++) await page.mouse.wheel(step % 2 ? 160 : 0, 160);
  });
  const pointing = await record(async () => {
    for (let step = 0; step < 40; step++) await page.mouse.move(220 + step * 9, 240 + step * 7);
  });
  console.log(`frames of 1,000 x 1,000, ms (median / p95 / longest), and how many:
  zooming   ${zooming}
  scrolling ${scrolling}
  pointing  ${pointing}`);
  const scroller = page.locator('.matrix-scroller');
  expect(await scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(1000);
  await page.getByRole('button', { name: 'Fit' }).click();
  await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(0);
  await dashboard.pointAt('d-');

  /** The time between frames during `act`, by the browser's clock. */
  async function measureFrames(act: () => Promise<void>): Promise<string> {
    await page.evaluate(() => {
      const times: number[] = [];
      const look = (now: number): void => {
        times.push(now);
        if (Object.hasOwn(window, 'frameTimes')) requestAnimationFrame(look);
      };
      Object.assign(window, { frameTimes: times });
      requestAnimationFrame(look);
    });
    await act();
    const gaps = await page.evaluate(() => {
      const { frameTimes } = window as unknown as { frameTimes: number[] };
      Reflect.deleteProperty(window, 'frameTimes');
      return frameTimes.slice(1).map((time, at) => time - (frameTimes[at] ?? 0));
    });
    gaps.sort((a, b) => a - b);
    const at = (share: number): string =>
      (gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? 0).toFixed(1);
    return `${at(0.5)} / ${at(0.95)} / ${at(1)}, ${gaps.length}`;
  }
});
