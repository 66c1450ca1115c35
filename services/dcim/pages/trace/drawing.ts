import { html, type Html } from '@cadastre/pages';
import type { Layout, PlacedBox, PlacedLink, PlacedPort, Point, Rect } from '../../actions/trace/layout.ts';
import type { Outcome } from '../../actions/trace/scene.ts';

const px = (value: number): number => Math.round(value * 10) / 10;
const at = ({ x, y, width, height }: Rect): Html =>
  html`x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
const words = (text: string, { x, y }: Point, kind = ''): Html =>
  html`<text class="${kind}" x="${px(x)}" y="${px(y)}">${text}</text>`;

/** Objects that this user may not see have no link. */
const linked = (href: string, title: string, content: Html): Html =>
  href ? html`<a href="${href}"><title>${title}</title>${content}</a>` : html`<g><title>${title}</title>${content}</g>`;

function port({ port: one, label, rect }: PlacedPort): Html {
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  return linked(one.href, one.title, html`<rect class="port" ${at(rect)} rx="4"/>${words(label, middle)}`);
}

function box({ box: one, rect, texts, ports }: PlacedBox): Html {
  const stripe =
    one.color === null
      ? ''
      : html`<rect x="${px(rect.x)}" y="${px(rect.y)}" width="6" height="${px(rect.height)}" rx="3" fill="#${one.color}"/>`;
  const lines = texts.map(({ kind, text, at: place }) => words(text, place, kind));
  const title = [one.name, ...one.lines].join('\n');
  return html`${linked(one.href, title, html`<rect class="box" ${at(rect)} rx="5"/>${stripe}${lines}`)}${ports.map(port)}`;
}

/** From one point down to another, bent where they are not over each other. */
const curve = ([from, to]: readonly [Point, Point]): string => {
  const half = (to.y - from.y) / 2;
  const across = to.x - from.x;
  return `M${px(from.x)} ${px(from.y)}c0 ${px(half)} ${px(across)} ${px(half)} ${px(across)} ${px(to.y - from.y)}`;
};

function link({ cable, lines, card }: PlacedLink): Html {
  const way = lines.map(curve).join('');
  if (!cable || !card) return html`<path class="beside" d="${way}"/>`;
  // A cable may have the colour of the background, so it is outlined in another colour.
  const own = cable.color === null ? '' : html` stroke="#${cable.color}"`;
  const casing = cable.color === null ? '' : html`<path class="casing ${cable.status}" d="${way}"/>`;
  const step = card.height / (card.texts.length + 0.6);
  const texts = card.texts.map((line, i) =>
    words(line, { x: card.x + card.width / 2, y: card.y + step * (i + 0.8) }, i ? 'quiet' : 'name small'),
  );
  const content = html`<rect class="card" ${at(card)} rx="6"/>${own ? html`<rect class="cable-color" x="${px(card.x)}" y="${px(card.y)}" width="6" height="${px(card.height)}" rx="3" fill="#${cable.color}"/>` : ''}${texts}`;
  return html`${casing}<path class="${own ? 'cable own' : 'cable'} ${cable.status}" d="${way}"${own}/>${linked(cable.href, cable.title, content)}`;
}

/** A path from top to bottom. */
export function drawing({ width, height, title, boxes, links, summary }: Layout, outcome: Outcome): Html {
  const [ending, length] = summary.texts as [string, string];
  const middle = summary.x + summary.width / 2;
  return html`<svg class="trace" viewBox="0 40 ${width} ${height - 40}" width="${width}" height="${height - 40}" role="group" aria-label="${title}"><g>${links.map(link)}</g>${boxes.map(box)}<g class="${outcome}"><rect class="ending" ${at(summary)} rx="8"/>${words(ending, { x: middle, y: summary.y + 21 }, 'name small')}${words(length, { x: middle, y: summary.y + 43 }, 'quiet')}</g></svg>`;
}
