import { html, type Html } from './html.ts';

const kindOf = (percent: number): string => (percent >= 90 ? 'full' : percent >= 70 ? 'high' : 'fine');

/** How full something is: a bar with its percentage beside it; the text says more, if there is more to say. */
export function bar(percent: number, text?: string): Html {
  const width = Math.max(0, Math.min(100, percent));
  const said = percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`;
  return html`<span class="usage"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rest" width="100" height="8"/><rect class="${kindOf(percent)}" width="${width.toFixed(1)}" height="8"/></svg> <span>${said}${text ? ` – ${text}` : ''}</span></span>`;
}
