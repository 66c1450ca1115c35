import { AsyncLocalStorage } from 'node:async_hooks';
import { html, type Html } from '@cadastre/pages';
import { LRUCache } from 'lru-cache';

/** How times are shown to the user. */
export interface TimesShown {
  /** Language and country, which determine the format of dates. */
  locale: string;
  /**
   * Undefined if the user has not chosen one: times are then in UTC, and a browser with scripts shows them in its own
   * zone.
   */
  zone: string | undefined;
}

const PLAIN: TimesShown = { locale: 'en', zone: undefined };
// The same for the whole page; otherwise every cell would have to pass it on.
const ofPage = new AsyncLocalStorage<TimesShown>();

/** How times are shown in the current request. */
export const timesShown = (): TimesShown => ofPage.getStore() ?? PLAIN;

/** Runs the work of a page with these settings for times. */
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

/** A moment in the reader's time zone and language, with the exact time as an attribute. */
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
