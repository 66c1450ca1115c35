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
/** Frames are drawn when somebody asks for one; nobody does. Known to the headless shell alone, others pass over it. */
const UNDRAWN = '--enable-begin-frame-control';

/** Tests in a browser, where there is one. */
export const inBrowser = there ? describe : describe.skip;

export interface Window {
  page: Page;
  /** What went wrong in it. */
  errors: string[];
}

interface Using {
  /**
   * False where a page is only loaded and measured, which takes a fifth less of the processor then. It is laid out as
   * ever, but scripts wait in vain for a frame, and so does playwright where it clicks.
   */
  drawn?: boolean;
}

/** What no page may say, of all that windows have loaded and of what scripts have made of it. */
function watchedPages() {
  const reading: Promise<string[]>[] = [];
  const pages: Page[] = [];
  const of = (where: string, text: string): string[] => slipsIn(text).map((slip) => `${where}: ${slip}`);
  return {
    watch(page: Page): void {
      pages.push(page);
      page.on('response', (answer) => {
        if (!answer.headers()['content-type']?.startsWith('text/html')) return;
        // What is left before it is there says nothing.
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
    /** A window of its own: nothing that others have logged in to. */
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

/** A window of somebody who has logged in. */
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

/** Keeps a picture for somebody to look at, in the folder that SCREENSHOTS names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
