import { expect, test } from 'vitest';
import type { Dashboard } from './lib/dashboard.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();

test('hover and keyboard name a cell of two zones, and Enter opens their nodes', async () => {
  const { cluster, dashboard } = await start();
  cluster.cutZones('east', 'west');
  await dashboard.open();
  await dashboard.pointAt('east → west: 16 failing of 16 pairs by host ICMP');
  await dashboard.page.mouse.move(0, 0);
  await dashboard.matrix.focus();
  await dashboard.page.keyboard.press('n');
  expect(await dashboard.readout.textContent()).toContain('east → west: 16 failing');
  const said = dashboard.page.getByRole('status').filter({ hasText: 'east → west' });
  expect(await said.count()).toBe(1);
  await dashboard.page.keyboard.press('Enter');
  await expect.poll(() => dashboard.path).toBe('/zones/east/west');
  await dashboard.pointAt('east-2 → west-4: unreachable');
  const at = await dashboard.pointAt('east-1 → west-2: unreachable');
  await dashboard.matrix.click({ position: at });
  await expect.poll(() => dashboard.path).toBe('/nodes/prod%2Fwest-2');
});

/** Expects that the cell at this place is hatched, and no pixel of the matrix is good. */
async function expectHatched(
  dashboard: Dashboard,
  { x, y }: { readonly x: number; readonly y: number },
): Promise<void> {
  await dashboard.page.mouse.move(0, 0);
  await expect.poll(() => dashboard.readout.textContent()).toContain('Point at a cell');
  const cell = { x: x - 8, y: y - 8, width: 16, height: 16 };
  await expect
    .poll(async () => Object.keys(await dashboard.colors(dashboard.matrix, cell)).length)
    .toBeGreaterThan(2);
  const reachable = await dashboard.token('--cell-reachable');
  expect((await dashboard.colors(dashboard.matrix))[reachable] ?? 0).toBe(0);
}

test('a cell without a report is hatched, and none of its pixels has the colour of a reachable cell', async () => {
  const { cluster, dashboard } = await start({ nodes: 6, zones: ['east'] });
  for (const { name } of cluster.members.slice(1)) cluster.silent.add(name);
  cluster.silent.add(cluster.self.name);
  await dashboard.open('/matrix');
  const at = await dashboard.pointAt('east-2 → east-3: no report');
  await expectHatched(dashboard, at);
});

test('a stale row is hatched and its age is told; none of its pixels has the colour of a reachable cell', async () => {
  const { cluster, dashboard } = await start({ nodes: 6, zones: ['east'] });
  for (const { name } of cluster.members) cluster.stale.add(name);
  await dashboard.open('/matrix');
  const at = await dashboard.pointAt('east-2 → east-3: not known, the row is stale (was reachable');
  expect(await dashboard.readout.textContent()).toContain('reported 2 min ago');
  await expectHatched(dashboard, at);
  await dashboard.page.getByText('The same as a table').click();
  const observers = dashboard.page.getByRole('region', { name: 'What each observer sees' });
  await expect.poll(() => observers.textContent()).toContain('2 min ago, stale');
});

test('the matrix shows the worst of all channels, and one of them if it is chosen', async () => {
  const { cluster, dashboard } = await start({ nodes: 6, zones: ['east'] });
  cluster.breakEndpoint('prod/east-3');
  await dashboard.open();
  await dashboard.pointAt('east-1 → east-3: unreachable by endpoint ICMP, endpoint HTTP');
  await dashboard.page.getByRole('link', { name: 'host ICMP' }).click();
  await dashboard.pointAt('east-1 → east-3: reachable');
});

test('a cell of two zones is green only for pairs that answer, and counts what is reported', async () => {
  const { cluster, dashboard } = await start({ nodes: 8, zones: ['east', 'west'] });
  for (const name of ['prod/east-2', 'prod/east-3', 'prod/east-4']) cluster.silent.add(name);
  cluster.cutZones('east', 'west');
  await dashboard.open();
  const at = await dashboard.pointAt('east → west: 4 failing of the 4 reported pairs (12 unknown)');
  await dashboard.page.mouse.move(0, 0);
  await expect.poll(() => dashboard.readout.textContent()).toContain('Point at a cell');
  const [reachable, unreachable] = await Promise.all(
    ['reachable', 'unreachable'].map((state) => dashboard.token(`--cell-${state}`)),
  );
  const near = { x: at.x - 15, y: at.y - 15, width: 30, height: 30 };
  const colors = await dashboard.colors(dashboard.matrix, near);
  expect(colors[reachable ?? ''] ?? 0).toBe(0);
  const all = await dashboard.colors(dashboard.matrix);
  expect(all[unreachable ?? ''] ?? 0).toBeGreaterThan(100);
});

test('names beside the matrix are whole where there is room', async () => {
  const names = ['de', 'nl', 'fr', 'uk'].map((zone) => `prod/a-rather-long-node-name-in-${zone}1`);
  const { dashboard } = await start({ nodes: 4, zones: [''], names });
  const drawn: string[] = [];
  await dashboard.page.exposeFunction('noteText', (text: string) => void drawn.push(text));
  await dashboard.page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const draw = Reflect.get(prototype, 'fillText') as (...args: unknown[]) => void;
    Reflect.set(prototype, 'fillText', function (this: unknown, ...args: unknown[]) {
      (globalThis as unknown as { noteText: (text: string) => void }).noteText(String(args[0]));
      Reflect.apply(draw, this, args);
    });
  });
  await dashboard.open();
  await dashboard.pointAt('a-rather-long-node-name-in-de1 → a-rather-long-node-name-in-fr1');
  await expect.poll(() => new Set(drawn).size).toBeGreaterThanOrEqual(4);
  expect(drawn.filter((text) => text.startsWith('…'))).toEqual([]);
});

test('numbers in a cell of two zones are as short as the cell needs, and never over its mark', async () => {
  const { cluster, dashboard } = await start(
    { nodes: 480, zones: ['east', 'west'] },
    { viewport: { width: 320, height: 700 } },
  );
  cluster.cutZones('east', 'west');
  const squeezed: string[] = [];
  const drawn: string[] = [];
  await dashboard.page.exposeFunction('noteText', (text: string, isSqueezed: boolean) => {
    drawn.push(text);
    if (isSqueezed) squeezed.push(text);
  });
  await dashboard.page.addInitScript(() => {
    const { prototype } = CanvasRenderingContext2D;
    const draw = Reflect.get(prototype, 'fillText') as (...args: unknown[]) => void;
    Reflect.set(
      prototype,
      'fillText',
      function (this: CanvasRenderingContext2D, ...args: unknown[]) {
        const [text, , , most] = args as [string, number, number, number | undefined];
        const { noteText } = globalThis as unknown as {
          noteText: (text: string, isSqueezed: boolean) => void;
        };
        noteText(text, most !== undefined && this.measureText(text).width > most);
        Reflect.apply(draw, this, args);
      },
    );
  });
  await dashboard.open();
  await dashboard.untilPainted();
  await expect.poll(() => drawn.join()).toMatch(/57,600|58K/);
  expect(squeezed).toEqual([]);
});

test('a matrix that is shaded says what the shades mean', async () => {
  const { dashboard } = await start({ nodes: 5, zones: [''] });
  await dashboard.open('/matrix');
  await dashboard.untilPainted();
  const legend = dashboard.page.getByRole('list', { name: 'Legend' });
  expect(await legend.textContent()).not.toContain('RTT');
  await dashboard.page.getByLabel('Shade by RTT').check();
  await expect
    .poll(() => legend.textContent())
    .toMatch(/reachable, by RTT: about \d+ µs\s*\d+ µs$/);
});

test('zones that do not exist are said to be unknown', async () => {
  const { dashboard } = await start();
  await dashboard.open('/zones/nosuch/west');
  const main = dashboard.page.locator('main');
  await expect.poll(() => main.textContent()).toContain('There is no node in zone nosuch.');
  expect(await dashboard.matrix.count()).toBe(0);
});

const kernels = {
  nodes: 12,
  zones: ['east', 'north', 'west'],
  labelsOf: (index: number) => ({
    kernel: index % 4 === 1 ? '6.9' : '6.8',
    ...(index % 2 === 0 && { 'example.com/rack': `r${index % 3}` }),
  }),
};

test('the matrix is by the values of a label if it is chosen, and the URL has the choice', async () => {
  const { cluster, dashboard, page } = await start(kernels);
  cluster.breakGroup('kernel', '6.9');
  await dashboard.open();
  const by = page.getByLabel('Group by');
  await dashboard.pointAt('east → west: 4 failing of 16 pairs');
  expect(await by.locator('option').allTextContents()).toEqual([
    'zone',
    'kernel',
    'example.com/rack',
  ]);
  await by.selectOption('kernel');
  expect(dashboard.path).toBe('/?by=kernel');
  const at = await dashboard.pointAt('6.8 → 6.9: 27 failing of 27 pairs by host ICMP');
  expect(await page.locator('#matrix').textContent()).toContain('Values of kernel');
  // There is no view of the nodes of two values, so a cell opens nothing.
  await dashboard.matrix.click({ position: at });
  expect(dashboard.path).toBe('/?by=kernel');
  await page.getByRole('link', { name: 'host HTTP' }).click();
  expect(dashboard.path).toBe('/?by=kernel&plane=host&protocol=http');
  await dashboard.pointAt('6.8 → 6.9: all reachable of 27 pairs');
  await page.goBack();
  await by.selectOption('example.com/rack');
  await dashboard.pointAt('(no example.com/rack) → r1: ');
  await page.getByText('The same as a table').click();
  const rows = dashboard.rows('Values as a table');
  await expect.poll(() => rows.count()).toBe(16);
  expect(await rows.first().textContent()).toContain('(no example.com/rack)');
});

test('a cluster without zones can be grouped by a label too', async () => {
  const { cluster, dashboard } = await start({ ...kernels, zones: [''] });
  cluster.breakGroup('kernel', '6.9');
  await dashboard.open();
  await dashboard.pointAt('node-01 → node-02: unreachable by host ICMP');
  await dashboard.page.getByLabel('Group by').selectOption('kernel');
  await dashboard.pointAt('6.8 → 6.9: 27 failing of 27 pairs by host ICMP');
});

test('a label by which nodes are not grouped is refused in words, and the zones can be chosen again', async () => {
  const { dashboard } = await start(kernels);
  await dashboard.open('/?by=<b>os');
  await expect
    .poll(() => dashboard.page.getByRole('alert').textContent())
    .toContain('there is no label <b>os');
  await dashboard.page.getByLabel('Group by').selectOption('zone');
  await dashboard.pointAt('east → west: all reachable of 16 pairs');
});

test('a finding of a group says what its nodes have in common, and leads to the matrix by that label', async () => {
  const { cluster, dashboard } = await start(kernels);
  cluster.breakGroup('kernel', '6.9');
  await dashboard.open('/findings/group:kernel=6.9');
  const facts = dashboard.page.locator('.facts');
  await expect.poll(() => facts.textContent()).toContain('In commonkernel=6.9, 3 nodes');
  await dashboard.link('kernel=6.9').click();
  await dashboard.pointAt('6.8 → 6.9: 27 failing of 27 pairs by host ICMP');
});

test('a finding of two groups says between which values, and leads to the matrix by that label', async () => {
  const { cluster, dashboard } = await start(kernels);
  cluster.cutGroups('kernel', ['6.8', '6.9']);
  await dashboard.open('/findings/groups:kernel=6.8,kernel=6.9');
  const facts = dashboard.page.locator('.facts');
  await expect
    .poll(() => facts.textContent())
    .toMatch(/Betweenkernel=6\.8, \d+ nodesBetweenkernel=6\.9, 3 nodes/);
  await dashboard.link('kernel=6.9').click();
  await dashboard.pointAt('6.8 → 6.9: 27 failing of 27 pairs by host ICMP');
});

test("a node's page has its labels, each with the matrix by it", async () => {
  const { dashboard } = await start(kernels);
  await dashboard.open('/nodes/prod%2Feast-1');
  const labels = dashboard.page.getByLabel('Labels');
  await expect.poll(() => labels.textContent()).toBe('kernel6.8example.com/rackr0');
  await labels.getByRole('link', { name: 'kernel' }).click();
  expect(dashboard.path).toBe('/?by=kernel');
});

test('a matrix that comes in pages is put together', async () => {
  const { cluster, dashboard } = await start({ nodes: 9, zones: ['east'] });
  cluster.maxRows = 4;
  cluster.breakEndpoint('prod/east-3');
  await dashboard.open('/matrix');
  await dashboard.pointAt('east-9 → east-3: unreachable');
  expect(await dashboard.page.locator('.omitted').count()).toBe(0);
});

test('one failing pair among a million is visible when the whole matrix is in view', async () => {
  const { cluster, dashboard } = await start({ nodes: 1000, zones: ['east'] });
  cluster.failPair('prod/east-0417', 'prod/east-0803');
  await dashboard.open('/matrix');
  await dashboard.untilPainted();
  const red = await dashboard.token('--cell-unreachable');
  expect((await dashboard.colors(dashboard.matrix))[red] ?? 0).toBeGreaterThanOrEqual(9);
});

test('the table beside the matrix has the same pairs', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakEndpoint('prod/west-3');
  await dashboard.open('/zones/east/west?plane=endpoint');
  await dashboard.page.getByText('The same as a table').click();
  const problems = dashboard.rows('Pairs that are not well');
  await expect.poll(() => problems.count()).toBe(4);
  expect(await problems.first().textContent()).toBe(
    'east-1west-3unreachable by endpoint ICMP, endpoint HTTP',
  );
  const observers = dashboard.rows('What each observer sees');
  expect(await observers.first().textContent()).toMatch(/^east-1\d+ s ago003010$/);
});

test('the table of zones names every pair and links to its nodes', async () => {
  const { cluster, dashboard } = await start();
  cluster.cutZones('east', 'west');
  await dashboard.open();
  await dashboard.page.getByText('The same as a table').click();
  const rows = dashboard.rows('Zones as a table');
  await expect.poll(() => rows.count()).toBe(9);
  expect(await rows.nth(2).textContent()).toContain('eastwest16 failing of 16 pairs');
  await rows.nth(2).getByRole('link').click();
  expect(dashboard.path).toBe('/zones/east/west');
});

test('a cluster without zones shows its nodes at once', async () => {
  const { cluster, dashboard } = await start({ nodes: 5, zones: [''] });
  cluster.kill('prod/node-3');
  await dashboard.open();
  await dashboard.pointAt('node-1 → node-3: unreachable');
});

test('an answer with the wrong number of cells is refused and not painted', async () => {
  const { dashboard } = await start();
  await dashboard.page.route('**/v1/matrix?by=node*', (route) =>
    route.fulfill({
      json: {
        at: '',
        rows: ['a', 'b'],
        columns: ['a'],
        ages: [1, 1],
        stale: [false, false],
        states: 'Ag==',
        rtts: 'Ag==',
      },
    }),
  );
  await dashboard.open('/matrix');
  await expect
    .poll(() => dashboard.page.getByRole('alert').textContent())
    .toContain('states: expected 2 values, got 1');
  expect(await dashboard.matrix.count()).toBe(0);
});
