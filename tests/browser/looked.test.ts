// The page checks of the tests find what is wrong, also where axe-core skips pages that have the same structure.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inBrowser, useBrowser } from '../support/browser/browser.ts';
import { looked, lookedWithout } from '../support/browser/looked.ts';

const PAGES: Record<string, string> = {
  '/one': '<h1>One</h1><ul><li>a</ul><label for="x">X</label><input id="x" name="attributes">',
  // Other words, more rows, another id.
  '/like': '<h1>Another</h1><ul><li>b<li>c</ul><label for="y">Y</label><input id="y" name="attributes">',
  '/unlabelled': '<h1>One</h1><ul><li>a</ul><label for="z">X</label><input id="x" name="attributes">',
  '/unnamed': '<h1>One</h1><button></button>',
  '/named': '<h1>One</h1><button>Send</button>',
  '/pale': '<h1>One</h1><p style="background: #fff; color: #bbb">Words',
  '/fits': '<main><h1>One</h1><p>a',
  '/wide': '<main><h1>One</h1><p style="width: 40rem">a',
  '/wider': '<main><h1>One</h1><p style="width: 40rem">b',
  '/dead': '<main><button type="button">Do</button><button type="button">Do more</button>',
  '/hidden':
    '<main><h1>One</h1><button type="button" hidden>a</button><button type="button" style="visibility: hidden">b</button><button>c</button>',
};

inBrowser('in a browser that draws pages', () => testsOf({ drawn: true }));
inBrowser('in a browser that does not draw them', () => testsOf({ drawn: false }));

function testsOf(using: { drawn: boolean }): void {
  const browser = useBrowser(using);
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const body = PAGES[url];
      if (body === undefined) response.writeHead(204).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(
            `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>T</title><form>${body}</form>`,
          );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server?.close());

  test('pages that differ in what they say have one form, and others have their own', async () => {
    const window = await browser.open();
    const forms = new Set<string>();
    const faults = async (...paths: string[]) => {
      const found = await looked(window, base, paths, { forms });
      return Object.entries(found).map(([path, all]) => [path, all.map((one) => one.split(':')[0])]);
    };
    expect(await faults('/one', '/like')).toEqual([]);
    expect(forms.size).toBe(1);
    expect(await faults('/unlabelled')).toEqual([['/unlabelled', ['label']]]);
    expect(await faults('/named', '/unnamed')).toEqual([['/unnamed', ['button-name']]]);
    expect(await faults('/pale')).toEqual([['/pale', ['color-contrast']]]);
    expect(forms.size).toBe(5);
  });

  test('a page that is wider than a telephone is found, also where another of its form was looked at', async () => {
    const window = await browser.open();
    const found = await looked(window, base, ['/fits', '/wide', '/wider'], { forms: new Set() });
    const wide = [expect.stringMatching(/^\d+ pixels wide instead of 360/)];
    expect(found).toEqual({ '/wide': wide, '/wider': wide });
  });

  test('without scripts, pages have a heading, and no button that somebody sees and that does nothing', async () => {
    const window = await browser.open({ javaScriptEnabled: false });
    expect(await lookedWithout(window, base, ['/fits', '/wide', '/dead', '/hidden'])).toEqual({
      '/wide': [expect.stringMatching(/^\d+ pixels wide/)],
      '/dead': ['no heading', '2 buttons that do nothing'],
    });
  });
}
