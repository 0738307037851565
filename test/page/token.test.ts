import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test('the page asks for the token that the API needs, and keeps it for this tab only', async () => {
  const { api, cluster, dashboard, page } = await start(undefined, { token: 'correct-horse' });
  await dashboard.open('/events');
  await expect.poll(() => dashboard.heading.textContent()).toBe('This agent asks for a token');
  const field = page.getByLabel('API token');
  await field.fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toBe('The agent refused this token.');
  await field.fill('correct-horse');
  await page.keyboard.press('Enter');
  await expect.poll(() => dashboard.heading.textContent()).toBe('Events');
  cluster.kill('prod/west-2');
  await expect.poll(() => page.locator('.event').count()).toBe(5);

  expect(page.url()).not.toContain('horse');
  expect(api.asked.join()).not.toContain('horse');
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
  await page.reload();
  await expect.poll(() => page.locator('.event').count()).toBe(5);
});

test('a new token shows each event once', async () => {
  const { api, cluster, dashboard, page } = await start(undefined, { token: 'correct-horse' });
  const open = async (token: string): Promise<void> => {
    await expect.poll(() => dashboard.heading.textContent()).toBe('This agent asks for a token');
    await page.getByLabel('API token').fill(token);
    await page.keyboard.press('Enter');
    await expect.poll(() => dashboard.heading.textContent()).toBe('Events');
  };
  await dashboard.open('/events');
  await open('correct-horse');
  cluster.kill('prod/west-2');
  await expect.poll(() => page.locator('.event').count()).toBe(5);
  await expect.poll(() => page.locator('.pill').count()).toBe(1);
  api.token = 'battery-staple';
  await expect.poll(() => dashboard.heading.textContent()).toBe('This agent asks for a token');
  // Nothing is known of the cluster now.
  await expect.poll(() => page.title()).toMatch(/^No access/);
  expect(await page.locator('.pill').count()).toBe(0);
  await expect
    .poll(() => page.locator('[role=status]').first().textContent())
    .toBe('The agent asks for a token.');
  await open('battery-staple');
  // The agent's own node: it tells the finding alone.
  cluster.kill('prod/east-1');
  await expect.poll(() => page.getByText('east-1 is down').count()).toBeGreaterThan(0);
  expect(await page.locator('.event').count()).toBe(5 + 1);
});
