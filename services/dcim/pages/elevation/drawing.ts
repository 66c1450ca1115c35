import { html, type Html, search } from '@cadastre/pages';
import { fitting, readableOn } from '../../actions/svg.ts';
import type { Said } from '../texts/de.ts';
import { say } from '../texts/say.ts';
import { frameOf, type Mounted, type Rack, type Reservation } from './contents.ts';
import { depthOf, type Face, halvesOf, slotsOf, standsOn, unitsOf } from './units.ts';

/** In pixels. A unit is as high as something that is pointed at should be. */
const UNIT = 24;
const WIDTH = 220;
const LEGEND = 30;
const MARGIN = 14;
const TEXT = 13;

export const FACE_TITLES: Readonly<Record<Face, Said>> = { front: 'Front', rear: 'Rear' };

/** A face within a sentence. */
export const faceText = (face: Face): string => (face === 'front' ? say('front') : say('rear'));

/** What a drawing shows of a rack. */
export interface Picture {
  rack: Rack;
  devices: readonly Mounted[];
  reservations: readonly Reservation[];
  /** Halves of units where something stands that this user may not see. */
  hidden: Readonly<Record<Face, ReadonlySet<number>>>;
  mayAdd: boolean;
  mayMove: boolean;
  pageOf(url: string): string | undefined;
  choiceLabel(label: string): string;
}

export type Placed = Mounted & { position: number };
export const placed = (devices: readonly Mounted[]): Placed[] =>
  devices.filter((one): one is Placed => one.position !== null && one.height > 0);

/** Where a device would be added. */
export const addAddress = ({ site, location, id }: Rack, position: number, face: Face): string =>
  `/dcim/devices/add/?${search({ site: site.id, location: location?.id, rack: id, position, face })}`;

/** Everything that takes up a face, also what this user may not see. */
export const takenOn = ({ devices, hidden }: Pick<Picture, 'devices' | 'hidden'>, face: Face): Set<number> =>
  new Set([
    ...hidden[face],
    ...placed(devices)
      .filter((one) => standsOn(one, face))
      .flatMap(halvesOf),
  ]);

/** One face of a rack. */
export function drawing(picture: Picture, face: Face): Html {
  const { rack, devices, reservations, hidden, mayAdd } = picture;
  const frame = frameOf(rack);
  const units = unitsOf(frame);
  const height = UNIT * frame.height;
  const yOf = (position: number, size: number): number => depthOf(frame, position, size) * UNIT;
  const numbers = units.map(
    (unit) => html`<text class="number" x="${LEGEND / 2}" y="${yOf(unit, 1) + UNIT / 2}">${unit}</text>`,
  );
  const reserved = reservations.flatMap(({ url, units: kept, text }) =>
    kept
      .filter((unit) => units.includes(unit))
      .map((unit) => {
        const y = yOf(unit, 1);
        return html`<rect class="reserved" x="${LEGEND}" y="${y}" width="${WIDTH}" height="${UNIT}"/><a href="${picture.pageOf(url) ?? url}" tabindex="-1"><title>${say('U{unit} is reserved: {text}', { unit, text })}</title><rect class="mark" x="${LEGEND + WIDTH + 2}" y="${y + 1}" width="${MARGIN - 2}" height="${UNIT - 2}"/></a>`;
      }),
  );
  const free = slotsOf(frame, takenOn(picture, face)).map(({ position, height: size }) => {
    const box = html`<rect class="slot" x="${LEGEND}" y="${yOf(position, size)}" width="${WIDTH}" height="${UNIT * size}"/>`;
    if (!mayAdd) return box;
    return html`<a class="place" href="${addAddress(rack, position, face)}" tabindex="-1"><title>${say('Add a device at U{unit}, {face}', { unit: position, face: faceText(face) })}</title>${box}<text class="plus" x="${LEGEND + WIDTH / 2}" y="${yOf(position, size) + (UNIT * size) / 2}" aria-hidden="true">+</text></a>`;
  });
  const unseen = [...hidden[face]].map(
    (half) =>
      html`<rect class="unseen" x="${LEGEND}" y="${yOf(half, 0.5)}" width="${WIDTH}" height="${UNIT / 2}"><title>${say('In use')}</title></rect>`,
  );
  const standing = placed(devices)
    .filter((one) => standsOn(one, face))
    .map((one) => deviceBox(one, face, yOf(one.position, one.height), picture));
  return html`<svg class="rack" viewBox="0 0 ${LEGEND + WIDTH + MARGIN + 2} ${height + 4}" width="${LEGEND + WIDTH + MARGIN + 2}" height="${height + 4}" role="group" aria-label="${`${rack.display}, ${faceText(face)}`}" data-rack="${rack.id}" data-face="${face}" data-first="${frame.first}" data-units="${frame.height}"${frame.descending ? html` data-descending="1"` : ''}><g transform="translate(0 2)"><rect class="inside" x="${LEGEND}" width="${WIDTH}" height="${height}"/>${numbers}${free}${unseen}${reserved}${standing}<rect class="frame" x="${LEGEND}" width="${WIDTH}" height="${height}"/></g></svg>`;
}

function deviceBox(one: Placed, face: Face, y: number, { mayMove, pageOf, choiceLabel }: Picture): Html {
  const height = UNIT * one.height;
  const own = one.face === face;
  const box = html`x="${LEGEND + 0.5}" y="${y + 0.5}" width="${WIDTH - 1}" height="${height - 1}"`;
  const image = own ? one.images[face] : null;
  // It is the name of the link, too: what stands in the box may be shortened.
  const title = [
    one.name,
    `${one.role} · ${one.type}`,
    `U${one.position}, ${faceText(face)}, ${one.height}U, ${choiceLabel(one.status)}`,
  ];
  const text = html`<text class="${image ? 'name over' : 'name'}" x="${LEGEND + WIDTH / 2}" y="${y + height / 2}"${own && !image ? html` fill="${readableOn(one.color)}"` : ''}>${fitting(one.name, WIDTH - 16, TEXT)}</text>`;
  const moves =
    own && mayMove
      ? html` id="device-${one.id}" data-device="${one.id}" data-name="${one.name}" aria-describedby="rack-keys"`
      : '';
  return html`<a class="${own ? 'device' : 'device behind'}" href="${pageOf(one.url) ?? one.url}"${own ? '' : html` tabindex="-1"`} data-of="${one.id}" data-position="${one.position}" data-height="${one.height}"${moves}><title>${title.join('\n')}</title><rect ${box}${own ? html` fill="#${one.color}"` : ''}/>${image ? html`<image href="${image}" ${box} preserveAspectRatio="xMidYMid slice"/>` : ''}${text}</a>`;
}
