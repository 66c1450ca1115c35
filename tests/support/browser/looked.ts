// What is wrong with a page: in the browser's own words, in axe-core's, on a telephone, and without scripts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Window } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] };
export const NARROW = { width: 360, height: 800 };
/** So high that nothing that stays at the edge of the window covers anything: what it covers, somebody scrolls away. */
const WIDE = { width: 1280, height: 4000 };

/** What axe-core says of a page, rule by rule, with the elements. `without` is looked at elsewhere. */
async function faultsOf(page: Page, without: readonly string[]): Promise<string[]> {
  await page.evaluate(axe);
  // All that it finds in order is much more than what is not, and stays there.
  return page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify({ exclude: without.map((one) => [one]) })}, ${JSON.stringify(RULES)}).then(({ violations }) => violations.map(({ id, nodes }) =>
    (id + ': ' + nodes.map(({ target, html, any }) => [...target, html, ...any.map(({ message }) => message)].join(' ')).join(', ')).slice(0, 600)))`);
}

/**
 * What axe-core can tell pages apart by: their elements, how they are nested, classed and described, and which refer to
 * which. What they say, where they lead, and how many rows there are, it takes as it comes.
 */
const formOf = (page: Page, without: readonly string[]): Promise<string> =>
  page.evaluate<string>(`(() => {
    const said = new Set(['alt', 'action', 'content', 'datetime', 'formaction', 'href', 'placeholder', 'src', 'srcset', 'title', 'value']);
    const names = new Set(['aria-activedescendant', 'aria-controls', 'aria-describedby', 'aria-labelledby', 'for', 'form', 'headers', 'id', 'list', 'name', 'popovertarget']);
    // A form has its fields as properties, some of which have the names of its own.
    const attributesOf = Object.getOwnPropertyDescriptor(Element.prototype, 'attributes').get;
    const seen = new Map();
    const numbered = (text) => text.split(/\\s+/).map((word) => seen.get(word) ?? (seen.set(word, seen.size), seen.size - 1)).join(' ');
    const written = ({ name, value }) => name + '=' + (names.has(name) ? numbered(value) : said.has(name) || name === 'aria-label' || name.startsWith('data-') ? value.trim() !== '' : value);
    const told = (one) => one.matches(${JSON.stringify(without.join() || ':not(*)')}) ? '' : '<' + one.localName + ' ' + [...attributesOf.call(one)].map(written).sort().join(' ') + '>'
      + [...one.childNodes].map((child) => child.nodeType === 1 ? told(child) : child.nodeType === 3 && child.data.trim() ? '.' : '').filter((child, i, all) => child !== all[i - 1]).join('') + '/';
    return told(document.documentElement);
  })()`);

/** What stands beyond the edge, and makes somebody scroll sideways. */
export const beyondEdge = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const view = document.documentElement;
    if (view.scrollWidth <= view.clientWidth) return [];
    const beyond = [...document.querySelectorAll('body *')].filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 0 && (right > view.clientWidth || left < 0) && !one.querySelector('*');
    });
    const named = beyond.slice(0, 3).map((one) => one.outerHTML.slice(0, 120));
    return [view.scrollWidth + ' pixels wide instead of ' + view.clientWidth + ': ' + named.join(' ')];
  })()`);

interface Looking {
  /** What is looked at elsewhere. */
  without?: readonly string[];
  /** The forms of pages at which axe-core has looked, which takes it longest of all: another page of one has its faults. */
  forms?: Set<string>;
}

/** Looks at pages one by one; says what is wrong, by their addresses. */
export async function looked(
  { page, errors }: Window,
  base: string,
  paths: readonly string[],
  { without = [], forms }: Looking = {},
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await page.setViewportSize(NARROW);
  for (const path of paths) {
    errors.length = 0;
    const answer = await page.goto(base + path);
    const faults = await beyondEdge(page);
    const form = forms && (await formOf(page, without));
    if (form === undefined || !forms?.has(form)) {
      // To draw a page anew costs as much as to load it, so those that axe-core passes over stay as they are.
      await page.setViewportSize(WIDE);
      faults.push(...(await faultsOf(page, without)));
      await page.setViewportSize(NARROW);
    }
    if (form !== undefined) forms?.add(form);
    if (answer?.status() !== 200) faults.push(`status ${answer?.status()}`);
    faults.push(...errors.splice(0));
    if (faults.length) found[path] = faults;
  }
  return found;
}

/** What somebody without scripts misses. Asked for in the page itself: locators would bring their program to each. */
const missedWithout = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const isSeen = (one) => {
      const { width, height } = one.getBoundingClientRect();
      return width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
    };
    // Without scripts, no button is shown that needs one.
    const dead = [...document.querySelectorAll('main button[type=button]')].filter(isSeen).length;
    return [...(document.querySelector('main h1') ? [] : ['no heading']), ...(dead ? [dead + ' buttons that do nothing'] : [])];
  })()`);

/** The same of a window without scripts: whether a page is there, fits, and is no dead end. */
export async function lookedWithout({ page, errors }: Window, base: string, paths: readonly string[]) {
  const found: Record<string, string[]> = {};
  await page.setViewportSize(NARROW);
  for (const path of paths) {
    errors.length = 0;
    const answer = await page.goto(base + path);
    const faults = [...(await beyondEdge(page)), ...errors, ...(await missedWithout(page))];
    if (answer?.status() !== 200) faults.push(`status ${answer?.status()}`);
    if (faults.length) found[path] = faults;
  }
  return found;
}
