// `npm run screenshots`: starts a system with the demo in it, and takes pictures of the main pages for docs/images.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { chromiumPath } from '../testing/chromium.ts';
import { PASSWORD, startSystem, type System } from '../testing/fresh-system.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'docs', 'images');
const SIZE = { width: 1280, height: 800 };

/** The pages, by the name of the picture; the object is the first that the API finds. */
const PAGES: readonly (readonly [name: string, page: string, of?: string])[] = [
  ['home', '/'],
  ['devices', '/dcim/devices/'],
  ['device', '/dcim/devices/*/', '/api/dcim/devices/?has_primary_ip=true&limit=1'],
  ['rack', '/dcim/racks/*/', '/api/dcim/racks/?limit=1&ordering=-device_count'],
  ['prefixes', '/ipam/prefixes/'],
  ['site-form', '/dcim/sites/*/edit/', '/api/dcim/sites/?limit=1'],
];

async function addressOf({ base, token }: System, page: string, of: string | undefined): Promise<string> {
  if (of === undefined) return base + page;
  const answer = await fetch(base + of, { headers: { authorization: `Token ${token}` } });
  const { results } = (await answer.json()) as { results: { id: number }[] };
  return base + page.replace('*', String(results[0]?.id));
}

async function logIn(context: BrowserContext, base: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}/login/`);
  await page.fill('[name=username]', 'admin');
  await page.fill('[name=password]', PASSWORD);
  await page.click('main button[type=submit]');
  await page.waitForLoadState();
  await page.close();
}

async function pictures(system: System, scheme: 'light' | 'dark'): Promise<void> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme: scheme,
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    await logIn(context, system.base);
    const page = await context.newPage();
    for (const [name, at, of] of PAGES) {
      await page.goto(await addressOf(system, at, of), { waitUntil: 'networkidle' });
      const path = join(folder, `${name}${scheme === 'dark' ? '-dark' : ''}.png`);
      await page.screenshot({ path });
      process.stdout.write(`${path}\n`);
    }
  } finally {
    await browser.close();
  }
}

mkdirSync(folder, { recursive: true });
const system = await startSystem();
try {
  const demo = join(root, 'tools/demo/main.ts');
  execFileSync(process.execPath, [demo, '--url', system.base, '--token', system.token], { stdio: 'inherit' });
  await pictures(system, 'light');
  await pictures(system, 'dark');
} finally {
  await system.stop();
}
