import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { pageWaitMs } from '../../project.js';

/** A part of a canvas in canvas pixels. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const expectedComplaints = [
  // Requests to an agent that is away or wants a token.
  'Failed to load resource',
  // A header for pages over TLS that reached one without.
  'The Cross-Origin-Opener-Policy header has been ignored',
];

/** The page in a browser, served by any agent. */
export class Dashboard {
  readonly page: Page;
  /** Errors and refusals that the browser reported. A test fails if there are any. */
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;
  readonly #url: string;

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context;
    this.page = page;
    this.#url = url;
    page.setDefaultTimeout(pageWaitMs);
    page.on('pageerror', (error) => this.complaints.push(error.stack ?? error.message));
    page.on('console', (message) => {
      const text = message.text();
      const isExpected = expectedComplaints.some((one) => text.startsWith(one));
      if (message.type() === 'error' && !isExpected) this.complaints.push(text);
    });
    page.on('dialog', (dialog) => {
      this.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  static async create(
    browser: Browser,
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<Dashboard> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: 'UTC',
      ...options,
    });
    return new Dashboard(context, await context.newPage(), url);
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(`${this.#url}${path}`);
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  get path(): string {
    const { pathname, search } = new URL(this.page.url());
    return `${pathname}${search}`;
  }

  /** The verdict in the banner at the top. */
  get verdict(): Locator {
    return this.page.locator('.verdict h1');
  }

  get findings(): Locator {
    return this.page.locator('details.finding');
  }

  get matrix(): Locator {
    return this.page.getByRole('application');
  }

  /** The description of the cell under the pointer or the cursor. */
  get readout(): Locator {
    return this.page.locator('.readout');
  }

  get heading(): Locator {
    return this.page.locator('main').getByRole('heading').first();
  }

  link(name: string): Locator {
    return this.page.locator('main').getByRole('link', { name, exact: true }).first();
  }

  /** Waits until the canvas is not empty. */
  async untilPainted(canvas: Locator = this.matrix): Promise<void> {
    await canvas.waitFor();
    await canvas.evaluate(
      (element: HTMLCanvasElement) =>
        new Promise<void>((resolve) => {
          const look = (): void => {
            const { width, height } = element;
            const context = element.getContext('2d');
            const data = width > 0 ? context?.getImageData(0, 0, width, height).data : undefined;
            const first = data?.slice(0, 4).join();
            const isPainted =
              data !== undefined &&
              data.some((value, at) => at % 4 < 3 && String(value) !== first?.split(',')[at % 4]);
            if (isPainted) resolve();
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
  }

  /**
   * Moves the pointer over the canvas until the readout contains `words`. Returns the position.
   */
  async pointAt(words: string): Promise<{ readonly x: number; readonly y: number }> {
    await this.untilPainted();
    const box = await this.matrix.boundingBox();
    if (!box) throw new Error('the matrix is not in view');
    for (let y = 8; y < box.height; y += 20) {
      for (let x = 8; x < box.width; x += 20) {
        await this.page.mouse.move(box.x + x, box.y + y);
        if ((await this.readout.textContent())?.startsWith(words) === true) return { x, y };
      }
    }
    throw new Error(`no cell of the matrix is called ${words}`);
  }

  /** Counts the pixels of each colour, as `r,g,b`, on a canvas or a part of it. */
  colors(canvas: Locator, part?: PixelBox): Promise<Record<string, number>> {
    return canvas.evaluate((element: HTMLCanvasElement, box) => {
      const whole = { x: 0, y: 0, width: element.width, height: element.height };
      const { x, y, width, height } = box ?? whole;
      const data = element.getContext('2d')?.getImageData(x, y, width, height).data;
      const counts: Record<string, number> = {};
      for (let at = 0; at < (data?.length ?? 0); at += 4) {
        const color = [0, 1, 2].map((channel) => data?.[at + channel]).join();
        counts[color] = (counts[color] ?? 0) + 1;
      }
      return counts;
    }, part ?? null);
  }

  /** The layout shift since the page was opened; 0 if nothing moved by itself. */
  layoutShift(): Promise<number> {
    return this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          const observer = new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as { value?: number }).value ?? 0;
          });
          observer.observe({ type: 'layout-shift', buffered: true });
          // The browser delivers buffered entries within two frames.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
  }

  /** A colour of the stylesheet, as `r,g,b`. */
  token(name: string): Promise<string> {
    return this.page.evaluate((property) => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
      return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join();
    }, name);
  }
}
