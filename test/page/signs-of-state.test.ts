import { expect, test } from 'vitest';
import { setUpPage } from './lib/setup.js';

const { start, look } = setUpPage();

test('the icon of the tab has the verdict, and none that is good while the agent is away', async () => {
  const { cluster, api, dashboard, page } = await start();
  await dashboard.open();
  const icon = page.locator('link[rel=icon]');
  const href = () => icon.getAttribute('href');
  await expect.poll(href).toContain('/assets/ok-');
  cluster.loseProbes('prod/east-2');
  await expect.poll(href).toContain('/assets/degraded-');
  cluster.breakEndpoint('prod/west-3');
  await expect.poll(href).toContain('/assets/broken-');
  const answer = await page.request.get(`${api.url}${(await href()) ?? ''}`);
  expect(answer.headers()['content-type']).toBe('image/svg+xml');
  expect(await answer.text()).toContain('<svg');
  await api.stop();
  await expect.poll(href).toContain('/assets/unknown-');
  await api.start();
  await expect.poll(href).toContain('/assets/broken-');
});

test('a command is copied from a page without TLS, and over loopback', async () => {
  const { cluster, api, dashboard } = await start();
  cluster.breakEndpoint('prod/west-3');
  const plain = await look(api.url.replace('127.0.0.1', 'meshprobe.example'));
  for (const { page, open, findings, isSecure } of [
    { ...parts(plain), isSecure: false },
    { ...parts(dashboard), isSecure: true },
  ]) {
    await open();
    await findings.first().locator('summary').click();
    expect(await page.evaluate(() => isSecureContext)).toBe(isSecure);
    const command = page.locator('.commands li').first();
    await command.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => command.getByRole('button').textContent()).toBe('Copied');
    const isFocused = await command
      .getByRole('button')
      .evaluate((button) => button === document.activeElement);
    expect(isFocused).toBe(true);
    const search = page.getByRole('searchbox', { name: 'Search a node' });
    await search.focus();
    await page.keyboard.press('Control+V');
    expect(await search.inputValue()).toBe(await command.locator('code').textContent());
  }

  function parts(one: typeof dashboard) {
    return { page: one.page, findings: one.findings, open: () => one.open() };
  }
});

test('a finding has a mark that it opens, and the mark turns when it is open', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open();
  const mark = dashboard.findings.first().locator('summary .disclosure');
  await mark.waitFor();
  const turn = () => mark.evaluate((element) => getComputedStyle(element).rotate);
  const closed = await turn();
  await dashboard.findings.first().locator('summary').click();
  expect(await turn()).not.toBe(closed);
  const [box, text] = await Promise.all([
    mark.boundingBox(),
    dashboard.findings.first().locator('.finding-text').boundingBox(),
  ]);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0);
});

test('a matrix is not marked for a target, or for large packets, which its cells do not show', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakTarget('cluster-dns');
  await dashboard.open();
  await expect.poll(() => dashboard.verdict.textContent()).toBe('The cluster is broken1 finding');
  const tabs = dashboard.page.getByRole('navigation', { name: 'Plane and protocol' });
  await tabs.waitFor();
  expect(await tabs.locator('.glyph').count()).toBe(0);
  await dashboard.findings.first().locator('summary').click();
  await dashboard.findings.first().getByRole('link', { name: 'cluster-dns' }).click();
  expect(dashboard.path).toBe('/targets/cluster-dns');
});

test('a cluster without health endpoints shows no endpoint plane', async () => {
  const { cluster, dashboard, page } = await start();
  cluster.hasEndpoints = false;
  await dashboard.open();
  const paths = page.locator('.own-path');
  await expect
    .poll(() => paths.allTextContents())
    .toEqual(['host ICMP12 of 12', 'host HTTP12 of 12']);
  const tabs = page.getByRole('navigation', { name: 'Plane and protocol' }).getByRole('link');
  await expect
    .poll(async () => (await tabs.allTextContents()).map((text) => text.trim()))
    .toEqual(['worst of all', 'host ICMP', 'host HTTP']);
  await dashboard.open('/nodes');
  const heads = page.getByRole('columnheader');
  await expect.poll(() => heads.count()).toBe(6);
  expect((await heads.allTextContents()).join()).not.toContain('endpoint');
  await dashboard.open('/nodes/prod%2Fwest-3');
  const rows = dashboard.rows('Table of paths');
  await expect.poll(() => rows.count()).toBe(2);
});

test('a protocol that is not probed and the problems of the agent are told on the overview', async () => {
  const { cluster, dashboard } = await start();
  cluster.notProbed = [
    { protocol: 'icmp', reason: 'no permission', text: 'no ICMP', switchedOff: false },
  ];
  cluster.notKnown = 'ICMP is not probed (no permission)';
  cluster.problems = [
    {
      code: 'nodes-file',
      severity: 'error',
      text: 'nodes.yaml: line 4: expected a name, got 7\u202e',
    },
    { code: 'icmp', severity: 'warning', text: 'no permission to send ICMP' },
  ];
  await dashboard.open();
  const banner = dashboard.page.locator('.verdict');
  await expect.poll(() => dashboard.verdict.textContent()).toBe('Not known yet');
  expect(await banner.textContent()).toContain('ICMP is not probed (no permission).');
  await banner.getByText('This agent has 2 problems').click();
  expect(await banner.locator('li').allTextContents()).toEqual([
    'nodes.yaml: line 4: expected a name, got 7\\u202e',
    'no permission to send ICMP',
  ]);
  const paths = dashboard.page.locator('.own-path');
  expect(await paths.first().textContent()).toBe('host ICMPnot probed (no permission)');
  expect(await paths.first().locator('.glyph-unknown').count()).toBe(1);
  // A verdict about a node does not know it either.
  await dashboard.open('/nodes');
  await dashboard.page.getByText('ICMP is not probed (no permission).', { exact: true }).waitFor();
  await dashboard.open('/nodes/prod%2Fwest-3');
  await expect
    .poll(() => dashboard.page.locator('.node-verdict').textContent())
    .toMatch(/observers · ICMP is not probed \(no permission\)$/);
});
