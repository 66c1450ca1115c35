import { bar, html, numberText, type Html } from '@cadastre/pages';
import { frameOf, type Mounted } from './contents.ts';
import { say } from '../texts/say.ts';
import { addAddress, drawing, FACE_TITLES, faceText, type Picture, placed, takenOn } from './drawing.ts';
import { byHalf, type Face, FACES, halvesOf, unitsOf, unitsUsed } from './units.ts';

/** The faces of a rack beside each other. */
export const faces = (picture: Picture, shown: readonly Face[] = FACES): Html =>
  html`<div class="faces">${shown.map((face) => html`<figure class="face"><figcaption>${say(FACE_TITLES[face])}</figcaption>${drawing(picture, face)}</figure>`)}</div>`;

/** How much of a rack is in use, counting reserved units. */
export function utilization({ rack, devices, reservations, hidden }: Picture): Html {
  const frame = frameOf(rack);
  const taken = unitsUsed(frame, [
    ...hidden.front,
    ...hidden.rear,
    ...placed(devices)
      .filter(({ counts }) => counts)
      .flatMap(halvesOf),
    ...reservations.flatMap(({ units }) => units.flatMap((unit) => [unit, unit + 0.5])),
  ]);
  const percent = frame.height ? (taken / frame.height) * 100 : 0;
  return bar(percent, say('{count} of {all} units', { count: numberText(taken), all: numberText(frame.height) }));
}

/** The same as a drawing, in words: what stands at each unit, and where something could be added. */
export function asTable(picture: Picture): Html {
  const { rack, devices, reservations, mayAdd, pageOf } = picture;
  const standing = { front: byHalf(placed(devices), 'front'), rear: byHalf(placed(devices), 'rear') };
  const taken = { front: takenOn(picture, 'front'), rear: takenOn(picture, 'rear') };
  const rows = unitsOf(frameOf(rack)).map((unit) => {
    const kept = reservations.find(({ units }) => units.includes(unit));
    const cells = FACES.map((face) => {
      const here = [...new Set([unit, unit + 0.5].flatMap((half) => standing[face].get(half) ?? []))];
      const free = ![unit, unit + 0.5].some((half) => taken[face].has(half));
      const add = mayAdd
        ? html`<a href="${addAddress(rack, unit, face)}" aria-label="${say('Add a device at U{unit}, {face}', { unit, face: faceText(face) })}">${say('Add')}</a>`
        : say('free');
      return html`<td>${here.map((one, i) => html`${i ? ', ' : ''}<a href="${pageOf(one.url) ?? one.url}">${one.name}</a>`)}${free ? add : here.length ? '' : say('in use')}</td>`;
    });
    return html`<tr><th scope="row">U${unit}</th>${cells}<td>${kept ? html`<a href="${pageOf(kept.url) ?? kept.url}">${kept.text}</a>` : ''}</td></tr>`;
  });
  return html`<details class="as-text"><summary>${say('As a table')}</summary><div class="scroll" tabindex="0" role="region" aria-label="${say('Units of {name}', { name: rack.display })}"><table class="list"><thead><tr><th scope="col">${say('Unit')}</th>${FACES.map((face) => html`<th scope="col">${say(FACE_TITLES[face])}</th>`)}<th scope="col">${say('Reserved')}</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** Devices that are in a rack without a place there, or take no unit. */
export function unplaced({ devices, pageOf, mayMove }: Picture): Html {
  const rest = devices.filter((one) => one.position === null || one.height === 0);
  if (!rest.length) return html``;
  const item = (one: Mounted): Html =>
    html`<li><a href="${pageOf(one.url) ?? one.url}"${mayMove && one.height > 0 ? html` data-device="${one.id}" data-name="${one.name}" data-height="${one.height}" aria-describedby="rack-keys"` : ''}>${one.name}</a> <span class="faint">${one.role} · ${one.type}${one.height === 0 ? ' · 0U' : ''}</span></li>`;
  return html`<h3>${say('Not at a unit')}</h3><ul class="unplaced">${rest.map(item)}</ul>`;
}
