// Faults of a page: reported by the browser, by axe-core, on a phone, and without scripts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Window } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] };
export const NARROW = { width: 360, height: 800 };
/**
 * High enough that elements fixed to the edge of the window cover nothing: a user would scroll past what they cover.
 */
const WIDE = { width: 1280, height: 4000 };

/** The violations that axe-core finds, rule by rule, with the elements. `without` is checked elsewhere. */
async function faultsOf(page: Page, without: readonly string[]): Promise<string[]> {
  await page.evaluate(axe);
  // Only the violations are returned: the list of what is in order is much longer.
  return page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify({ exclude: without.map((one) => [one]) })}, ${JSON.stringify(RULES)}).then(({ violations }) => violations.map(({ id, nodes }) =>
    (id + ': ' + nodes.map(({ target, html, any }) => [...target, html, ...any.map(({ message }) => message)].join(' ')).join(', ')).slice(0, 600)))`);
}

/**
 * The structure by which axe-core can distinguish pages: their elements, nesting, classes and attributes, and which
 * refer to which. Texts, targets of links, and numbers of rows do not matter to it.
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

/** Elements that extend beyond the edge, and make a user scroll sideways. */
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
  /** Selectors of elements that are checked elsewhere. */
  without?: readonly string[];
  /**
   * Structures of pages that axe-core has checked already, as that takes longest: a page of the same structure has the
   * same faults.
   */
  forms?: Set<string>;
}

/** Checks pages one by one; returns the faults by address. */
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
      // Redrawing a page costs as much as loading it, so the viewport of those that axe-core skips is not changed.
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

/** Faults for a user without scripts. Evaluated in the page itself: locators would load their script into each page. */
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

/** The same in a window without scripts: whether a page exists, fits, and is not a dead end. */
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
