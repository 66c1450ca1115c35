import { escaped, readableOn } from '../svg.ts';
import type { Face, Sizes } from './parameters.ts';
import { type Frame, onFace, positionsOf, type Standing } from './units.ts';

/** A device as it is drawn. */
export interface Drawn {
  label: string;
  title: string;
  href: string;
  color: string;
  image: string | null;
}

/** Reserved units. */
export interface Reserved {
  units: readonly number[];
  title: string;
}

export interface Picture {
  frame: Frame;
  face: Face;
  sizes: Sizes;
  standing: readonly Standing[];
  drawn: ReadonlyMap<number, Drawn>;
  reserved: readonly Reserved[];
}

/** Width of the line around the units, in pixels. */
const BORDER = 2;

const STYLE = [
  'text{font:13px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central}',
  '.legend text{fill:#6c757d;font-size:10px}',
  '.frame{fill:none;stroke:#303030;stroke-width:2}',
  '.slot{fill:#fff;stroke:#dee2e6}',
  '.blocked{fill:url(#blocked);stroke:#adb5bd}',
  '.reserved{fill:#4d96ff;fill-opacity:.35}',
  '.mark{fill:#4d96ff}',
].join('');

/** A rack as a drawing. */
export function draw(picture: Picture): string {
  const {
    frame,
    face,
    sizes: { unitWidth, unitHeight, legendWidth, marginWidth },
  } = picture;
  const width = unitWidth + legendWidth + marginWidth + BORDER * 2;
  const height = unitHeight * frame.height + BORDER * 2;
  const left = legendWidth + BORDER;
  /** The upper edge of something that begins at a position and is `units` high. */
  const topOf = (position: number, units: number): number =>
    BORDER + unitHeight * (frame.descending ? position - frame.first : frame.height - (position - frame.first) - units);
  const box = (position: number, units: number): string =>
    `x="${left}" y="${topOf(position, units)}" width="${unitWidth}" height="${unitHeight * units}"`;
  const whole = positionsOf(frame).filter(Number.isInteger);
  const legend = whole
    .map((unit) => `<text x="${legendWidth / 2}" y="${topOf(unit, 1) + unitHeight / 2}">${unit}</text>`)
    .join('');
  const slots = whole.map((unit) => `<rect class="slot" ${box(unit, 1)}><title>U${unit}</title></rect>`).join('');
  const reserved = picture.reserved
    .flatMap(({ units, title }) =>
      units
        .filter((unit) => whole.includes(unit))
        .map(
          (unit) =>
            `<g><title>${escaped(title)}</title><rect class="reserved" ${box(unit, 1)}/><rect class="mark" x="${left + unitWidth + BORDER}" y="${topOf(unit, 1)}" width="${Math.max(marginWidth - BORDER, 0)}" height="${unitHeight}"/></g>`,
        ),
    )
    .join('');
  const devices = onFace(picture.standing, face)
    .filter((s) => s.height > 0)
    .map((s) => {
      const drawn = picture.drawn.get(s.id);
      const middle = `x="${left + unitWidth / 2}" y="${topOf(s.position, s.height) + (unitHeight * s.height) / 2}"`;
      if (!drawn || s.face !== face)
        return `<g>${drawn ? `<title>${escaped(drawn.title)}</title>` : ''}<rect class="blocked" ${box(s.position, s.height)}/>${drawn ? `<text ${middle}>${escaped(drawn.label)}</text>` : ''}</g>`;
      const image = drawn.image
        ? `<image href="${escaped(drawn.image)}" ${box(s.position, s.height)} preserveAspectRatio="xMidYMid slice"/>`
        : '';
      return `<a href="${escaped(drawn.href)}" target="_parent"><title>${escaped(drawn.title)}</title><rect ${box(s.position, s.height)} fill="#${drawn.color}" stroke="#303030"/>${image}<text ${middle} fill="${readableOn(drawn.color)}">${escaped(drawn.label)}</text></a>`;
    })
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs><style>${STYLE}</style>` +
    `<pattern id="blocked" patternUnits="userSpaceOnUse" width="7" height="7" patternTransform="rotate(45)"><rect width="7" height="7" fill="#e9ecef"/><rect width="3" height="7" fill="#ced4da"/></pattern></defs>` +
    `<g class="legend">${legend}</g>${slots}${reserved}${devices}<rect class="frame" x="${left - BORDER / 2}" y="${BORDER / 2}" width="${unitWidth + BORDER}" height="${height - BORDER}"/></svg>`
  );
}
