import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { readPageFiles } from '../../../api/routes/page.js';
import { AgentApi } from '../../doubles/agent-api/agent-api.js';
import { MadeUpCluster, type ClusterOptions } from '../../doubles/agent-api/cluster.js';
import { launchBrowser, noBrowser } from './browser.js';
import { Dashboard } from './dashboard.js';

const built = join(import.meta.dirname, '../../../dist/page');

export interface Setup {
  /** Starts a double of an agent with a made-up cluster, and opens its page. */
  readonly start: (
    cluster?: ClusterOptions,
    options?: BrowserContextOptions & { readonly token?: string },
  ) => Promise<{ cluster: MadeUpCluster; api: AgentApi; dashboard: Dashboard; page: Page }>;
  /** Opens the page of any agent, such as a real one. */
  readonly look: (url: string, options?: BrowserContextOptions) => Promise<Dashboard>;
}

const smallCluster: ClusterOptions = { nodes: 12, zones: ['east', 'north', 'west'] };

/**
 * Starts one browser for the tests of a file. A test fails if its browser reported an error.
 * Without a browser the tests are skipped with the reason.
 */
export function setUpPage(): Setup {
  let browser: Browser | undefined;
  let dashboards: Dashboard[] = [];
  let apis: AgentApi[] = [];
  beforeAll(async () => {
    if (noBrowser === undefined) browser = await launchBrowser();
  });
  beforeEach((context) => {
    if (noBrowser !== undefined) context.skip(noBrowser);
  });
  afterEach(async () => {
    const complaints = dashboards.flatMap((one) => one.complaints);
    await Promise.all(dashboards.map((one) => one.close()));
    await Promise.all(apis.map((one) => one.stop()));
    dashboards = [];
    apis = [];
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser?.close());

  const look: Setup['look'] = async (url, options) => {
    if (!browser) throw new Error('there is no browser');
    const dashboard = await Dashboard.create(browser, url, options);
    dashboards.push(dashboard);
    return dashboard;
  };
  return {
    look,
    async start(options = smallCluster, { token, ...context } = {}) {
      const cluster = new MadeUpCluster(options);
      const api = new AgentApi(cluster, readPageFiles(built));
      apis.push(api);
      api.token = token;
      await api.start();
      const dashboard = await look(api.url, context);
      return { cluster, api, dashboard, page: dashboard.page };
    },
  };
}
