import type { Json } from '@cadastre/model';
import { ago, html, type Html, nothing } from '@cadastre/pages';
import { say } from '../texts/say.ts';

/** An attempt in the API's answers. */
export interface Attempt {
  number: number;
  started: string;
  duration_ms: number;
  method: string | null;
  url: string | null;
  request_headers: Record<string, string> | null;
  request_body: string | null;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  error_kind: string | null;
  error: string | null;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1_000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** JSON indented over several lines; any other text as it is. */
export function pretty(given: Json): string {
  if (typeof given !== 'string') return JSON.stringify(given, null, 2);
  try {
    return JSON.stringify(JSON.parse(given), null, 2);
  } catch {
    return given;
  }
}

const code = (label: string, text: string): Html =>
  html`<pre class="text code" tabindex="0" aria-label="${label}">${text}</pre>`;

const headers = (all: Record<string, string> | null, caption: string): Html =>
  all && Object.keys(all).length
    ? html`<table class="pairs"><caption class="aside">${caption}</caption><tbody>${Object.entries(all).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`
    : nothing;

const request = (one: Attempt): Html =>
  one.method
    ? html`<p class="code">${one.method} ${one.url}</p>${headers(one.request_headers, say('Request headers'))}${one.request_body ? code(say('Request body'), pretty(one.request_body)) : nothing}`
    : html`<p>${say('The request could not be built.')}</p>`;

const response = (one: Attempt): Html =>
  one.response_status
    ? html`<p class="code">${one.response_status}</p>${headers(one.response_headers, say('Response headers'))}${one.response_body ? code(say('Response body'), pretty(one.response_body)) : html`<p class="faint">${say('The body was empty.')}</p>`}`
    : html`<p>${say('No response.')}</p>`;

/** All attempts, the last one first and open. */
export const attempts = (all: readonly Attempt[]): Html =>
  all.length
    ? html`${all
        .toReversed()
        .map(
          (one, i) =>
            html`<details class="attempt" data-key="attempt ${one.number}"${i ? nothing : html` open`}><summary><span class="badge" data-value="${one.error ? 'failed' : 'succeeded'}">${one.response_status ?? one.error_kind ?? say('no response')}</span> ${say('Attempt {number}', { number: one.number })} <span class="faint">${ago(one.started)}, ${duration(one.duration_ms)}</span></summary>${one.error ? html`<p class="problem"><strong>${one.error_kind}</strong> ${one.error}</p>` : nothing}<div class="halves"><section aria-label="${say('Request of attempt {number}', { number: one.number })}"><h3>${say('Request')}</h3>${request(one)}</section><section aria-label="${say('Response to attempt {number}', { number: one.number })}"><h3>${say('Response')}</h3>${response(one)}</section></div></details>`,
        )}`
    : html`<p class="none">${say('No attempt has been made yet.')}</p>`;

/** The payload, or a remark that it may not be shown. */
export const payload = (value: Json): Html =>
  value === null || value === undefined
    ? html`<p class="none">${say('What was told of the object is for those who may view it.')}</p>`
    : html`<details data-key="payload"><summary>${say('What was told of the object')}</summary>${code(say('Payload'), pretty(value))}</details>`;
