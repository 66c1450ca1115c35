import { escaped } from '../svg.ts';
import type { Layout, PlacedBox, PlacedLink, PlacedPort, Point, Rect } from './layout.ts';
import type { Outcome } from './scene.ts';

/** Colours by what they are for: each for a light page, and for a dark one where the viewer prefers that. */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  ground: ['#ffffff', '#16191d'],
  box: ['#f6f7f9', '#23282e'],
  edge: ['#c3cad2', '#4a525c'],
  ink: ['#1b2026', '#eef1f4'],
  soft: ['#5f6b78', '#a4afbb'],
  port: ['#ffffff', '#16191d'],
  link: ['#1259b5', '#85b8ff'],
  cable: ['#6b7785', '#9aa6b3'],
  casing: ['#aab3bd', '#69737e'],
  complete: ['#15803d', '#4ade80'],
  inactive: ['#a16207', '#facc15'],
  split: ['#a16207', '#facc15'],
  open: ['#b91c1c', '#f87171'],
};

const variables = (at: 0 | 1): string =>
  Object.entries(COLORS)
    .map(([name, pair]) => `--${name}:${pair[at]}`)
    .join(';');

const STYLE = [
  `svg{${variables(0)}}`,
  `@media(prefers-color-scheme:dark){svg{${variables(1)}}}`,
  'text{font:12px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle;dominant-baseline:central;fill:var(--ink)}',
  '.ground{fill:var(--ground)}',
  '.heading{font-size:16px;font-weight:600}',
  '.box{fill:var(--box);stroke:var(--edge)}',
  '.kind{font-size:10px;letter-spacing:.06em;fill:var(--soft)}',
  '.name{font-size:15px;font-weight:600}',
  '.line,.quiet{fill:var(--soft)}',
  '.port{fill:var(--port);stroke:var(--edge)}',
  '.possible .port{stroke-dasharray:3 3}',
  'a:hover .box,a:hover .port,a:hover .card{stroke:var(--link)}',
  'a:hover text{fill:var(--link)}',
  '.cable,.casing,.beside{fill:none}',
  '.cable{stroke:var(--cable);stroke-width:3}',
  '.casing{stroke:var(--casing);stroke-width:5}',
  '.beside{stroke:var(--cable);stroke-width:1.5;stroke-dasharray:1.5 5;stroke-linecap:round}',
  '.card{fill:var(--ground);stroke:var(--cable);stroke-width:2}',
  '.outline{fill:none;stroke:var(--casing)}',
  '.planned{stroke-dasharray:9 6}',
  '.decommissioning{stroke-dasharray:2 5}',
  '.label{font-weight:600}',
  ...['complete', 'inactive', 'split', 'open'].map(
    (outcome) => `.${outcome} .sign{fill:var(--${outcome})}.${outcome} .frame{stroke:var(--${outcome})}`,
  ),
  '.frame{fill:none}',
  '.mark{fill:none;stroke:var(--ground);stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}',
].join('');

/** In a circle of 10 pixels: a tick, a bar, a fork, a cross. */
const MARKS: Readonly<Record<Outcome, string>> = {
  complete: 'M-4.5 .5l3 3.2l6-7',
  inactive: 'M-4 0h8',
  split: 'M0 5v-4l-4-5M0 1l4-5',
  open: 'M-3.5-3.5l7 7M3.5-3.5l-7 7',
};

const px = (value: number): string => String(Math.round(value * 10) / 10);
const place = ({ x, y, width, height }: Rect): string =>
  `x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
const words = (text: string, { x, y }: Point, kind = ''): string =>
  `<text${kind && ` class="${kind}"`} x="${px(x)}" y="${px(y)}">${escaped(text)}</text>`;
const middleOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });
const linked = (href: string, title: string, content: string): string =>
  `<a href="${escaped(href)}" target="_parent"><title>${escaped(title)}</title>${content}</a>`;

function drawPort({ port, label, rect, possible }: PlacedPort): string {
  const drawn = linked(
    port.href,
    port.title,
    `<rect class="port" ${place(rect)} rx="4"/>${words(label, middleOf(rect))}`,
  );
  return possible ? `<g class="possible">${drawn}</g>` : drawn;
}

function drawBox({ box, rect, texts, ports }: PlacedBox): string {
  const stripe =
    box.color === null
      ? ''
      : `<path d="M${px(rect.x + 6)} ${px(rect.y)}h-1a5 5 0 0 0-5 5v${px(rect.height - 10)}a5 5 0 0 0 5 5h1z" fill="#${box.color}"/>`;
  const content = `<rect class="box" ${place(rect)} rx="5"/>${stripe}${texts.map(({ kind, text, at }) => words(kind === 'kind' ? text.toUpperCase() : text, at, kind)).join('')}`;
  return linked(box.href, [box.name, ...box.lines].join('\n'), content) + ports.map(drawPort).join('');
}

/** From one point down to another, bent where they are not over each other. */
const curve = ([from, to]: readonly [Point, Point]): string => {
  const half = (to.y - from.y) / 2;
  return Math.abs(from.x - to.x) < 0.5
    ? `M${px(from.x)} ${px(from.y)}V${px(to.y)}`
    : `M${px(from.x)} ${px(from.y)}c0 ${px(half)} ${px(to.x - from.x)} ${px(half)} ${px(to.x - from.x)} ${px(to.y - from.y)}`;
};

function drawLink({ cable, lines, card }: PlacedLink): string {
  const way = lines.map(curve).join('');
  if (!cable || !card) return `<path class="beside" d="${way}"/>`;
  // A cable may have the colour of the background, so it is outlined in another colour.
  const stroke = cable.color === null ? '' : ` style="stroke:#${cable.color}"`;
  const casing = cable.color === null ? '' : `<path class="casing ${escaped(cable.status)}" d="${way}"/>`;
  const outline =
    cable.color === null
      ? ''
      : `<rect class="outline" ${place({ x: card.x - 1.5, y: card.y - 1.5, width: card.width + 3, height: card.height + 3 })} rx="7"/>`;
  const step = card.height / (card.texts.length + 0.6);
  const text = card.texts
    .map((line, i) => words(line, { x: card.x + card.width / 2, y: card.y + step * (i + 0.8) }, i ? 'quiet' : 'label'))
    .join('');
  return `${casing}<path class="cable ${escaped(cable.status)}" d="${way}"${stroke}/>${linked(cable.href, cable.title, `${outline}<rect class="card ${escaped(cable.status)}" ${place(card)} rx="6"${stroke}/>${text}`)}`;
}

/** A path as a drawing, light and dark. */
export function draw(layout: Layout, outcome: Outcome): string {
  const { width, height, title, boxes, links, more, summary } = layout;
  const [ending, length] = summary.texts as [string, string];
  const sign = { x: summary.x + 24, y: summary.y + 21 };
  const text = (line: string, y: number, kind: string): string =>
    words(line, { x: summary.x + summary.width / 2 + 14, y: summary.y + y }, kind);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(title)}</title><desc>${escaped(`${ending}. ${length}`)}</desc><style>${STYLE}</style>` +
    `<rect class="ground" width="${width}" height="${height}"/>${words(title, { x: width / 2, y: 34 }, 'heading')}${links.map(drawLink).join('')}${boxes.map(drawBox).join('')}${more ? words(more.text, more.at, 'quiet') : ''}` +
    `<g class="${outcome}"><rect class="frame" ${place(summary)} rx="8"/><circle class="sign" cx="${px(sign.x)}" cy="${px(sign.y)}" r="10"/><path class="mark" transform="translate(${px(sign.x)} ${px(sign.y)})" d="${MARKS[outcome]}"/>${text(ending, 21, 'label')}${text(length, 43, 'quiet')}</g></svg>`
  );
}
