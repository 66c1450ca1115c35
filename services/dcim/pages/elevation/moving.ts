import { html, type Html, type PageView, refusalText, type Shown } from '@cadastre/pages';
import { say } from '../texts/say.ts';
import type { Mounted, Rack } from './contents.ts';
import { FACE_TITLES } from './drawing.ts';
import { FACES } from './units.ts';

/** What was typed into a form that was refused, and why. */
export interface Refused {
  given: URLSearchParams;
  problem: string;
}

/** A form that puts a device elsewhere; the script that moves devices by hand fills it in. */
export function moveForm(
  { csrfField }: Pick<PageView, 'csrfField'>,
  racks: readonly Rack[],
  devices: readonly Mounted[],
  action: string,
  refused?: Refused,
): Html {
  const given = (name: string): string => refused?.given.get(name) ?? '';
  const option = (value: string | number, text: string, name: string): Html =>
    html`<option value="${value}"${String(value) === given(name) ? html` selected` : ''}>${text}</option>`;
  const rack =
    racks.length === 1
      ? html`<input type="hidden" name="rack" value="${racks[0]!.id}">`
      : html`<label>${say('Rack')} <select name="rack" required>${racks.map((one) => option(one.id, one.display, 'rack'))}</select></label>`;
  return html`<form class="move-device" method="post" action="${action}">${csrfField}<h3 id="move">${say('Move a device')}</h3>
${refused ? html`<p class="problem" role="alert">${refused.problem}</p>` : ''}
<div class="row"><label>${say('Device')} <select name="device" required><option value="">${say('Choose…')}</option>${devices.map((one) => option(one.id, one.name, 'device'))}</select></label>
${rack}<label>${say('Unit')} <input name="position" type="number" min="0.5" step="0.5" value="${given('position')}" required></label>
<label>${say('Face')} <select name="face">${FACES.map((face) => option(face, say(FACE_TITLES[face]), 'face'))}</select></label>
<button type="submit">${say('Move')}</button></div>
<p class="help" id="rack-keys">${say('Drag a device, or press M on it: the arrow keys move it, Enter leaves it there, Escape takes it back.')}</p>
<p class="aside" role="status" data-moving></p></form>`;
}

/** Puts a device where the form says. @returns where to look at it, or what is wrong. */
export async function move({ api, submitted, path, query }: PageView): Promise<string | Refused> {
  const id = Number(submitted.get('device'));
  const rackId = Number(submitted.get('rack'));
  const again = query.size ? `${path}?${query}` : path;
  if (!Number.isSafeInteger(id) || id <= 0 || !Number.isSafeInteger(rackId) || rackId <= 0)
    return { given: submitted, problem: say('Choose a device and a rack.') };
  try {
    const rack = await api.get<Rack>(`/api/dcim/racks/${rackId}/`);
    await api.ask<Shown>('PATCH', `/api/dcim/devices/${id}/`, {
      body: {
        site: rack.site.id,
        location: rack.location?.id ?? null,
        rack: rackId,
        position: Number(submitted.get('position')),
        face: submitted.get('face'),
      },
    });
    return `${again}#device-${id}`;
  } catch (error) {
    const problem = refusalText(error);
    if (problem === undefined) throw error;
    return { given: submitted, problem };
  }
}
