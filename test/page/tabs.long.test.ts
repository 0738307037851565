import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

// A browser opens six connections to one agent, and each follower of events holds one.
const tabs = 7;

/** A browser without windows shows all of its pages, so what the page asks for is set. */
function show(page: Page, isShown: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, !isShown);
}

test('the agent answers in each of many tabs, and the one that is shown again follows events', async () => {
  const { cluster, dashboard, page, api } = await start();
  await dashboard.open();
  const pages = [page];
  while (pages.length < tabs) {
    const next = await page.context().newPage();
    await show(pages.at(-1) ?? page, false);
    await next.goto(api.url);
    pages.push(next);
    await expect.poll(() => next.locator('.phase').textContent()).toBe('live');
  }
  // Each of them asks again after five seconds.
  const asked = (): number => api.asked.filter((path) => path === '/v1/summary').length;
  const before = asked();
  await expect.poll(asked).toBeGreaterThan(before + 2 * tabs);
  for (const one of pages) expect(await one.locator('.phase').textContent()).toBe('live');
  await show(page, true);
  cluster.kill('prod/west-1');
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is broken1 finding');
  await page.getByRole('link', { name: 'Events' }).click();
  await expect.poll(() => page.locator('.event').count()).toBeGreaterThan(0);
});

test('the agent answers in each of many windows that are shown, and each has its events', async () => {
  const { cluster, dashboard, page, api } = await start();
  await dashboard.open();
  const pages = [page];
  while (pages.length < tabs) {
    const next = await page.context().newPage();
    await next.goto(api.url);
    pages.push(next);
    await expect.poll(() => next.locator('.phase').textContent()).toBe('live');
  }
  cluster.kill('prod/west-1');
  for (const one of pages) {
    const verdict = one.locator('.verdict h1');
    await expect.poll(() => verdict.textContent()).toBe('The cluster is broken1 finding');
    await one.getByRole('link', { name: 'Events' }).click();
    await expect.poll(() => one.locator('.event').count()).toBeGreaterThan(0);
    expect(await one.locator('.phase').textContent()).toBe('live');
  }
});
