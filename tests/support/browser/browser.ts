import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../../tools/testing/chromium.ts';
import { patienceMs } from '../eventually.ts';
import { adminPassword } from '../system.ts';
import { slipsIn } from '../pages/slips.ts';
import { logIn } from '../pages/visitor.ts';

const there = existsSync(chromiumPath);
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** With this, frames are drawn only on request, and nobody requests any. Only the headless shell knows this option. */
const UNDRAWN = '--enable-begin-frame-control';

/** Tests in a browser, skipped where there is none. */
export const inBrowser = there ? describe : describe.skip;

export interface Window {
  page: Page;
  /** The errors that occurred in it. */
  errors: string[];
}

interface Using {
  /**
   * False where a page is only loaded and measured, which saves a fifth of the processor time. It is laid out as usual,
   * but scripts never get a frame, nor does playwright where it clicks.
   */
  drawn?: boolean;
}

/** Searches all that the windows have loaded, and what scripts have made of it, for texts that no page may show. */
function watchedPages() {
  const reading: Promise<string[]>[] = [];
  const pages: Page[] = [];
  const of = (where: string, text: string): string[] => slipsIn(text).map((slip) => `${where}: ${slip}`);
  return {
    watch(page: Page): void {
      pages.push(page);
      page.on('response', (answer) => {
        if (!answer.headers()['content-type']?.startsWith('text/html')) return;
        // A response that is abandoned before its text has arrived is not checked.
        reading.push(
          answer.text().then(
            (text) => of(answer.url(), text),
            () => [],
          ),
        );
      });
    },
    async slips(): Promise<string[]> {
      const shown = pages
        .filter((page) => !page.isClosed())
        .map((page) =>
          page.evaluate<string>('document.body ? document.body.innerText : ""').then(
            (text) => of(page.url(), text),
            () => [],
          ),
        );
      return (await Promise.all([...reading.splice(0), ...shown])).flat();
    },
  };
}

/** A browser for the tests of a file. */
export function useBrowser({ drawn = true }: Using = {}): { open(options?: BrowserContextOptions): Promise<Window> } {
  let browser: Browser;
  const watched = watchedPages();
  if (!there)
    console.info(
      'Skipped: web pages in a browser. Install chromium (Debian: apt-get install chromium-headless-shell), or name one with CHROMIUM_PATH.',
    );
  beforeAll(async () => {
    const args = drawn ? flags : [...flags, UNDRAWN];
    if (there) browser = await chromium.launch({ executablePath: chromiumPath, args, timeout: patienceMs });
  });
  afterEach(async () => {
    expect(await watched.slips()).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    /** A window of its own, which shares no login with others. */
    async open(options) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const errors: string[] = [];
      context.setDefaultTimeout(patienceMs);
      watched.watch(page);
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      return { page, errors };
    },
  };
}

/** A window of a user who has logged in. */
export async function windowOf(
  browser: ReturnType<typeof useBrowser>,
  base: string,
  options?: BrowserContextOptions,
  password = adminPassword,
  username = 'admin',
): Promise<Window> {
  const window = await browser.open({ baseURL: base, ...options });
  const { cookie } = await logIn(base, username, password);
  const [name, value] = cookie.split(/=(.*)/s) as [string, string];
  await window.page.context().addCookies([{ name, value, url: base }]);
  return window;
}

/** Saves a screenshot in the folder that SCREENSHOTS names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
