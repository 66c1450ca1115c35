import { AsyncLocalStorage } from 'node:async_hooks';
import { html, type Html } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';

/** How somebody wants to read times. */
export interface TimesShown {
  /** Language and country, as dates are written there. */
  locale: string;
  /** Undefined where nobody has said: times are UTC then, and a browser with scripts shows them in its own zone. */
  zone: string | undefined;
}

const PLAIN: TimesShown = { locale: 'en', zone: undefined };
// What a whole page has in common; every cell would have to hand it on.
const ofPage = new AsyncLocalStorage<TimesShown>();

/** How times are shown at present. */
export const timesShown = (): TimesShown => ofPage.getStore() ?? PLAIN;

/** Runs the work of a page, in which times are shown like this. */
export const showingTimes = <T>(times: TimesShown, work: () => T): T => ofPage.run(times, work);

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

function formatOf(locale: string, zone: string, time: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${time}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      ...(time ? { timeStyle: 'short' } : {}),
      timeZone: zone,
    });
    formats.set(key, found);
  }
  return found;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** A moment in the zone and as in the language of the reader; the exact one is behind it. */
export function moment(text: string): Html {
  const { locale, zone } = timesShown();
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.valueOf())) return html`${text}`;
  const said = formatOf(locale, zone ?? 'UTC', true).format(at);
  return zone === undefined
    ? html`<time datetime="${text}" title="${text}">${said} UTC</time>`
    : html`<time datetime="${text}" title="${text}" data-zoned>${said}</time>`;
}

/** A day, which is the same one everywhere. */
export function day(text: string): Html {
  const { locale } = timesShown();
  const at = new Date(text);
  if (!DATE.test(text) || Number.isNaN(at.valueOf())) return html`${text}`;
  return html`<time datetime="${text}" title="${text}" data-zoned>${formatOf(locale, 'UTC', false).format(at)}</time>`;
}
