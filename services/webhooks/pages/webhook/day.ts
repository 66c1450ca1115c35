import { html, type Html, nothing, numberText } from '@cadastre/pages';
import { say } from '../texts/say.ts';
import { duration } from '../delivery/attempts.ts';

/** The API's statistics of the last day. */
interface Figures {
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
  if (!ended) return html`<p class="none">${say('Nothing was sent within the last day.')}</p>`;
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
      say('{succeeded} succeeded, {failed} failed', { succeeded: one.succeeded, failed: one.failed }),
      html`${box('bad', i * STEP, 0, bad)}${box('good', i * STEP, bad, high(one.succeeded, most))}`,
    );
  });
  const times = hours.map((one, i) =>
    linked(
      one,
      say('half within {half}, 95 % within {most}', {
        half: duration(one.median_ms ?? 0),
        most: duration(one.p95_ms ?? 0),
      }),
      html`${box('rest', i * STEP, 0, high(one.p95_ms ?? 0, slowest))}${box('part', i * STEP, 0, high(one.median_ms ?? 0, slowest))}`,
    ),
  );
  return html`<dl><div><dt>${say('Success rate')}</dt><dd>${rate((all.succeeded / ended) * 100)} <span class="faint">${say('{count} of {all}', { count: numberText(all.succeeded), all: numberText(ended) })}</span></dd></div><div><dt>${say('Latency')}</dt><dd>${duration(all.median_ms ?? 0)} <span class="faint">${say('half; 95 % within {most}', { most: duration(all.p95_ms ?? 0) })}</span></dd></div></dl><figure class="day"><figcaption>${say('Deliveries by hour')}: <span class="key good">${say('succeeded')}</span> <span class="key bad">${say('failed')}</span></figcaption>${picture(say('Deliveries by hour'), counts)}</figure><figure class="day"><figcaption>${say('Latency by hour')}: <span class="key part">${say('half')}</span> <span class="key rest">95 %</span></figcaption>${picture(say('Latency by hour'), times)}</figure>`;
}

/** A high rate is good, unlike in bars that show how full something is. */
const rate = (percent: number): Html =>
  html`<strong class="${percent >= 99 ? 'yes' : 'no'}">${percent === 100 || percent < 99.95 ? Math.round(percent * 10) / 10 : '> 99.9'} %</strong>`;
