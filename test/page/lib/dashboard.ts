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

  /** The rows of the table with this name. */
  rows(name: string): Locator {
    return this.page.getByRole('region', { name }).locator('tbody tr');
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
            const isPainted = data?.some((value, at) => at % 4 < 3 && value !== data[at % 4]);
            if (isPainted === true) resolve();
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
  }

  /**
   * Moves the pointer over the canvas until the readout begins with `words`. Returns the position.
   * It is looked for within the page, as each move of the real pointer takes two trips to the browser.
   */
  async pointAt(words: string): Promise<{ readonly x: number; readonly y: number }> {
    const deadlineMs = performance.now() + pageWaitMs;
    const find = async () => {
      await this.untilPainted();
      const readout = await this.readout.elementHandle();
      return this.matrix.evaluate(findCell, { words, readout });
    };
    let at = await find();
    while (!at && performance.now() < deadlineMs) at = await find();
    const box = await this.matrix.boundingBox();
    if (!at || !box) throw new Error(`no cell of the matrix is called ${words}`);
    await this.page.mouse.move(box.x + at.x, box.y + at.y);
    await this.readout.filter({ hasText: words }).waitFor();
    return at;
  }

  /** Counts the pixels of each colour, as `r,g,b`, on a canvas or a part of it. */
  colors(canvas: Locator, part?: PixelBox): Promise<Record<string, number>> {
    return canvas.evaluate((element: HTMLCanvasElement, box) => {
      const whole = { x: 0, y: 0, width: element.width, height: element.height };
      const { x, y, width, height } = box ?? whole;
      const data = element.getContext('2d')?.getImageData(x, y, width, height).data;
      const counts = new Map<number, number>();
      for (let at = 0; at < (data?.length ?? 0); at += 4) {
        const [red = 0, green = 0, blue = 0] = [data?.[at], data?.[at + 1], data?.[at + 2]];
        const color = (red << 16) | (green << 8) | blue;
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      const named = (color: number) => [color >> 16, (color >> 8) & 255, color & 255].join();
      return Object.fromEntries([...counts].map(([color, count]) => [named(color), count]));
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

/** Runs in the page: where the readout begins with `words` when the pointer is there; it is away again then. */
async function findCell(
  canvas: Element,
  { words, readout }: { words: string; readout: Node | null },
): Promise<{ x: number; y: number } | undefined> {
  const send = async (type: string, init?: MouseEventInit): Promise<void> => {
    canvas.dispatchEvent(new MouseEvent(type, init));
    // What follows is rendered before the next task.
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage('');
    });
  };
  const { left, top, width, height } = canvas.getBoundingClientRect();
  for (let y = 8; y < height; y += 20) {
    for (let x = 8; x < width; x += 20) {
      await send('mousemove', { clientX: left + x, clientY: top + y });
      const isFound = readout?.textContent?.startsWith(words) === true;
      if (isFound) await send('mouseleave');
      if (isFound) return { x, y };
    }
  }
  return undefined;
}
