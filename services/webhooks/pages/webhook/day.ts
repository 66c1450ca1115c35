import { html, type Html, nothing } from '@cadastre/pages';
import { duration } from '../delivery/attempts.ts';

/** What the API tells of the last day. */
export interface Figures {
  succeeded: number;
  failed: number;
  median_ms: number | null;
  p95_ms: number | null;
}
export interface Hour extends Figures {
  hour: string;
}
export interface Day extends Figures {
  hours: Hour[];
}

const HOUR = 3_600_000;
const HOURS = 24;
/** Of a bar and the gap after it, and of the pictures. */
const STEP = 12;
const WIDE = 10;
const HIGH = 60;

/** All hours of the day up to now, with nothing where nothing happened. */
export function wholeDay(hours: readonly Hour[], now: number): Hour[] {
  const last = Math.floor(now / HOUR) * HOUR;
  const known = new Map(hours.map((one) => [Math.floor(Date.parse(one.hour) / HOUR) * HOUR, one]));
  return Array.from({ length: HOURS }, (_, i) => {
    const at = last - (HOURS - 1 - i) * HOUR;
    return (
      known.get(at) ?? { hour: new Date(at).toISOString(), succeeded: 0, failed: 0, median_ms: null, p95_ms: null }
    );
  });
}

const clock = (hour: string): string => `${new Date(hour).toISOString().slice(11, 16)} UTC`;
const high = (value: number, most: number): number => (most > 0 && value > 0 ? Math.max(2, (value / most) * HIGH) : 0);
const box = (kind: string, at: number, from: number, height: number): Html =>
  html`<rect class="${kind}" x="${at}" y="${(HIGH - from - height).toFixed(1)}" width="${WIDE}" height="${height.toFixed(1)}"/>`;

const picture = (label: string, bars: readonly Html[]): Html =>
  html`<svg class="day" viewBox="0 0 ${HOURS * STEP} ${HIGH + 1}" preserveAspectRatio="none" role="group" aria-label="${label}"><line class="ground" x1="0" x2="${HOURS * STEP}" y1="${HIGH + 0.5}" y2="${HIGH + 0.5}"/>${bars}</svg>`;

/** How the deliveries of the last day went, hour by hour; each hour leads to its deliveries. */
export function day(all: Day, list: string, now: number): Html {
  const ended = all.succeeded + all.failed;
  if (!ended) return html`<p class="none">Nothing was sent within the last day.</p>`;
  const hours = wholeDay(all.hours, now);
  const most = Math.max(...hours.map((one) => one.succeeded + one.failed));
  const slowest = Math.max(...hours.map((one) => one.p95_ms ?? 0));
  const linked = (one: Hour, text: string, inside: Html): Html => {
    if (!one.succeeded && !one.failed) return nothing;
    const end = new Date(Date.parse(one.hour) + HOUR).toISOString();
    const range = new URLSearchParams({ finished__gte: one.hour, finished__lt: end });
    return html`<a href="${list}&amp;${String(range)}" aria-label="${clock(one.hour)}: ${text}"><title>${clock(one.hour)}: ${text}</title>${inside}</a>`;
  };
  const counts = hours.map((one, i) => {
    const bad = high(one.failed, most);
    return linked(
      one,
      `${one.succeeded} succeeded, ${one.failed} failed`,
      html`${box('bad', i * STEP, 0, bad)}${box('good', i * STEP, bad, high(one.succeeded, most))}`,
    );
  });
  const times = hours.map((one, i) =>
    linked(
      one,
      `half within ${duration(one.median_ms ?? 0)}, 95 % within ${duration(one.p95_ms ?? 0)}`,
      html`${box('rest', i * STEP, 0, high(one.p95_ms ?? 0, slowest))}${box('part', i * STEP, 0, high(one.median_ms ?? 0, slowest))}`,
    ),
  );
  return html`<dl><div><dt>Success rate</dt><dd>${rate((all.succeeded / ended) * 100)} <span class="faint">${all.succeeded.toLocaleString('en')} of ${ended.toLocaleString('en')}</span></dd></div><div><dt>Latency</dt><dd>${duration(all.median_ms ?? 0)} <span class="faint">half; 95 % within ${duration(all.p95_ms ?? 0)}</span></dd></div></dl><figure class="day"><figcaption>Deliveries by hour: <span class="key good">succeeded</span> <span class="key bad">failed</span></figcaption>${picture('Deliveries by hour', counts)}</figure><figure class="day"><figcaption>Latency by hour: <span class="key part">half</span> <span class="key rest">95 %</span></figcaption>${picture('Latency by hour', times)}</figure>`;
}

/** A rate is good when it is full, unlike what fills up. */
const rate = (percent: number): Html =>
  html`<strong class="${percent >= 99 ? 'yes' : 'no'}">${percent === 100 || percent < 99.95 ? Math.round(percent * 10) / 10 : '> 99.9'} %</strong>`;
