import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { contrast, difference, visions } from './lib/color-vision.js';
import { setUpPage } from './lib/setup.js';

const { start } = setUpPage();
const schemes = ['light', 'dark'] as const;

test('the keyboard alone reaches the skip link, the views, findings, the matrix and a node', async () => {
  const { cluster, dashboard, page } = await start();
  cluster.cutZones('east', 'west');
  await dashboard.open();
  await dashboard.untilPainted();
  const matrixName = 'worst of all, 3 zones by 3';
  const visited: string[] = [];
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    visited.push(
      await page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute('aria-label') ?? at?.textContent.slice(0, 80) ?? '';
      }),
    );
  };
  for (let step = 0; step < 80 && visited.at(-1) !== matrixName; step++) {
    await press('Tab');
    const isFinding = await page.evaluate(() => document.activeElement?.tagName === 'SUMMARY');
    if (isFinding) await page.keyboard.press('Enter');
  }
  expect(visited).toContain('Skip to content');
  expect(visited).toContain('Search a node by its name');
  expect(visited.join('\n')).toContain('No node of zone east reaches zone west');
  expect(visited).toContain('Copy');
  expect(visited.at(-1)).toBe(matrixName);
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter']) {
    await page.keyboard.press(key);
  }
  await expect.poll(() => dashboard.path).toBe('/zones/east/west');
  const heading = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await expect.poll(heading).toContain('Nodes of east to nodes of west');
  await dashboard.matrix.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => dashboard.path).toBe('/nodes/prod%2Fwest-4');
});

test('a screen reader finds landmarks, headings, and a name for the matrix', async () => {
  const { cluster, dashboard } = await start();
  cluster.breakEndpoint('prod/west-1');
  await dashboard.open();
  await dashboard.untilPainted();
  const tree = await dashboard.page.locator('body').ariaSnapshot();
  for (const line of [
    'banner',
    'navigation "Views"',
    'search',
    'main',
    'heading "The cluster is broken 1 finding" [level=1]',
    'heading "Findings" [level=2]',
    'application "worst of all, 3 zones by 3"',
    'navigation "Plane and protocol"',
  ]) {
    expect(tree).toContain(line);
  }
});

describe.each(schemes)('in the %s scheme', (colorScheme) => {
  test('readers with any kind of colour vision can tell the states of a cell apart', async () => {
    const { dashboard } = await start(undefined, { colorScheme });
    await dashboard.open();
    const states = ['reachable', 'lossy-or-slow', 'unreachable', 'unknown'];
    const colors = await Promise.all(states.map((state) => dashboard.token(`--cell-${state}`)));
    for (const [name, vision] of Object.entries(visions)) {
      for (const [at, color] of colors.entries()) {
        for (const [to, other] of colors.entries()) {
          if (to <= at) continue;
          const pair = `${name}: ${states[at]} and ${states[to]}`;
          expect.soft(difference(color, other, vision), pair).toBeGreaterThan(7);
        }
      }
    }
  });

  test('text has the contrast that WCAG asks for', async () => {
    const { dashboard } = await start(undefined, { colorScheme });
    await dashboard.open();
    const pairs = [
      ['ink', 'surface'],
      ['ink', 'ground'],
      ['muted', 'surface'],
      ['muted', 'ground'],
      ['accent', 'surface'],
      ...['ok', 'degraded', 'broken', 'unknown'].flatMap((word) => [
        [word, `${word}-ground`],
        ['ink', `${word}-ground`],
        ['muted', `${word}-ground`],
      ]),
      ...['reachable', 'lossy-or-slow', 'unreachable'].map((state) => [
        `cell-${state}-ink`,
        `cell-${state}`,
      ]),
    ];
    for (const [ink = '', ground = ''] of pairs) {
      const colors = await Promise.all([ink, ground].map((one) => dashboard.token(`--${one}`)));
      const ratio = contrast(colors[0] ?? '', colors[1] ?? '');
      expect.soft(ratio, `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('the canvas has the colours of the scheme, also after the scheme changes', async () => {
    const { dashboard } = await start(undefined, { colorScheme });
    await dashboard.open();
    await dashboard.untilPainted();
    const other = colorScheme === 'dark' ? 'light' : 'dark';
    for (const scheme of [colorScheme, other] as const) {
      await dashboard.page.emulateMedia({ colorScheme: scheme });
      const reachable = await dashboard.token('--cell-reachable');
      await expect
        .poll(async () => (await dashboard.colors(dashboard.matrix))[reachable] ?? 0)
        .toBeGreaterThan(1000);
    }
  });
});

const axeSource = (() => {
  try {
    const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
})();

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly html: string }[];
}

test.for(['/', '/nodes', '/nodes/prod/west-1', '/events', '/matrix', '/zones/east/west'])(
  'axe finds nothing on %s',
  async (path, context) => {
    if (axeSource === undefined) return context.skip('no axe-core here: npm ci installs it');
    const { cluster, dashboard, page } = await start();
    for (const name of ['prod/west-1', 'prod/west-2']) {
      cluster.changeMtu(name, 120);
      cluster.fillConntrack(name);
      cluster.breakEndpoint(name);
    }
    await dashboard.open(path);
    await expect.poll(() => dashboard.heading.textContent()).not.toContain('Asking');
    await page.locator('canvas:visible, .nodes-table:visible, .events:visible').first().waitFor();
    await page.evaluate(() => {
      for (const closed of document.querySelectorAll('details')) closed.open = true;
    });
    const isFilled = () => page.locator('details[open]:not(:has(> :nth-child(2)))').count();
    await expect.poll(isFilled).toBe(0);
    await page.evaluate(axeSource);
    const look = async () => {
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run: (where: Document, options: object) => Promise<{ violations: Violation[] }> };
        };
        const rules = { 'target-size': { enabled: true } };
        return (await axe.run(document, { rules })).violations;
      });
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]);
    };
    expect(await look()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await look()).toEqual([]);
  },
);

test.each(['/', '/nodes', '/nodes/prod%2Fwest-1', '/events', '/matrix', '/zones/east/west'])(
  '%s does not move while it loads, and fits a narrow screen',
  async (path) => {
    const { cluster, dashboard } = await start();
    cluster.breakEndpoint('prod/west-1');
    await dashboard.open(path);
    await expect.poll(() => dashboard.heading.textContent()).not.toContain('Asking');
    const parts: Record<string, string> = {
      '/': 'canvas',
      '/matrix': 'canvas',
      '/nodes/prod%2Fwest-1': '.observer-groups dt',
    };
    await dashboard.page
      .locator(parts[path] ?? 'main')
      .first()
      .waitFor();
    expect(await dashboard.layoutShift()).toBeLessThan(0.01);
    await dashboard.page.setViewportSize({ width: 360, height: 740 });
    const wide = () =>
      dashboard.page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
    // It is below zero if the browser keeps room for a scroll bar.
    await expect.poll(wide).toBeLessThanOrEqual(0);
  },
);
