import { html, type Html } from '@cadastre/pages';
import type { Box, Port, Scene } from '../../actions/trace/scene.ts';
import { put, say } from '../texts/say.ts';

const link = (href: string, text: string): Html => (href ? html`<a href="${href}">${text}</a>` : html`${text}`);
const listed = (parts: readonly Html[]): Html => html`${parts.map((part, i) => html`${i ? ', ' : ''}${part}`)}`;
const ports = (all: readonly Port[]): Html => listed(all.map(({ href, name }) => link(href, name)));

const boxText = ({ href, name, kind, above, below }: Box): Html =>
  html`${link(href, name)} <span class="faint">${kind}</span>${above.length ? html` – ${put('in at {ports}', { ports: ports(above) })}` : ''}${below.length ? html` – ${put('out at {ports}', { ports: ports(below) })}` : ''}`;

/** The same as the drawing, in words. */
export function asText({ levels, links, summary }: Scene): Html {
  const cables = (i: number): Html => {
    const all = (links[i] ?? []).flatMap(({ cable }) => (cable ? [cable] : []));
    return all.length
      ? html`<li class="via">${listed(all.map(({ href, name, details }) => html`${say('Cable')} ${link(href, name)} <span class="faint">${details.join(', ')}</span>`))}</li>`
      : html``;
  };
  return html`<details class="as-text"><summary>${say('As text')}</summary><ol>${levels.map((level, i) => html`<li>${listed(level.map(boxText))}</li>${cables(i)}`)}</ol><p>${summary.join(' – ')}</p></details>`;
}
