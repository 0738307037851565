import { expect, test } from 'vitest';
import { compareNames } from '../../api/page/model/natural-order.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

const names = [
  'prod/<img src=x onerror="document.title=`taken`">',
  'prod/"><script>document.title="taken"</script>',
  "prod/' onmouseover='document.title=1",
  'prod/javascript:alert(1)',
  'prod/a%2Fb%00?x=1#y',
  'prod/\u202egpj.exe\u200b',
  'prod/${document.title}{{7*7}}',
  'prod/..',
  'prod/.',
  '~/~',
  'prod/../../etc/passwd',
  'prod/日本語 🚀 ü',
];

test('names are shown as text everywhere, and each links to its own page', async () => {
  const { cluster, dashboard, page } = await start({
    nodes: names.length,
    zones: ['<b>bold</b>', '../..'],
    names,
  });
  for (const name of names.slice(0, 3)) cluster.breakEndpoint(name);
  for (const path of ['/', '/nodes', '/events', '/matrix']) {
    await dashboard.open(path);
    await page.locator('main h1, main h2').first().waitFor();
    if (path === '/') await dashboard.findings.first().locator('summary').click();
    expect(await page.locator('main img, main script, main b:has-text("bold")').count()).toBe(0);
    expect(await page.title()).not.toMatch(/^(taken|1)$/);
  }
  await dashboard.open('/nodes');
  const rows = page.locator('.nodes-table tbody tr');
  await expect.poll(() => rows.count()).toBe(names.length);
  // The list sorts its nodes by name.
  for (const [at, name] of [...names].sort(compareNames).entries()) {
    await dashboard.open('/nodes');
    await rows.nth(at).getByRole('link').click();
    const addresses = page.getByRole('region', { name: 'Table of paths' });
    await expect
      .poll(() => addresses.textContent(), { message: name })
      .toContain(cluster.addresses(name).host[0]);
    await page.reload();
    await expect
      .poll(() => addresses.textContent(), { message: `${name}, reloaded` })
      .toContain(cluster.addresses(name).host[0]);
  }
  await dashboard.open('/nodes');
  expect(await page.locator('.nodes-table').textContent()).toContain('prod/\\u202egpj.exe\\u200b');
});

test('zones whose names are markup or paths each have a page', async () => {
  const { dashboard } = await start({ nodes: 8, zones: ['<b>bold</b>', '..', '.', ''] });
  for (const [words, path] of [
    ['<b>bold</b> → ..', '/zones/%3Cb%3Ebold%3C%2Fb%3E/~..'],
    ['. → (no zone)', '/zones/~./~'],
  ] as const) {
    await dashboard.open();
    await dashboard.matrix.click({ position: await dashboard.pointAt(words) });
    await expect.poll(() => dashboard.path).toBe(path);
    await dashboard.page.reload();
    await dashboard.untilPainted();
  }
});
