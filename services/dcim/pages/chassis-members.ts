import { html, type Listed, type Panel, type PanelView, type Shown } from '@cadastre/pages';
import { say } from './texts/say.ts';

/** A chassis has few members; where there are more, the list has them all. */
const MOST = 50;

async function members({ api, object, shown, may, path }: PanelView) {
  const list = `virtual_chassis_id=${object.id}`;
  const fields = 'id,url,display,vc_position,vc_priority,status';
  const [{ results, count }, mayAdd, mayEdit] = await Promise.all([
    api.get<Listed<Shown>>(`/api/dcim/devices/?${list}&ordering=vc_position&fields=${fields}&limit=${MOST}`),
    may('add', 'dcim.device'),
    may('change', 'dcim.device'),
  ]);
  const master = (object['master'] as Shown | null)?.id;
  const back = encodeURIComponent(path);
  const row = (one: Shown) =>
    html`<tr><td>${shown(one['vc_position'])}</td><th scope="row">${shown({ url: one.url, display: one.display })}</th><td>${
      one.id === master ? say('Master') : ''
    }</td><td>${shown(one['vc_priority'])}</td><td>${shown(one['status'])}</td>${
      mayEdit
        ? html`<td class="row-actions"><a href="/dcim/devices/${one.id}/edit/?return_url=${back}" aria-label="${say('Edit {name}', { name: one.display })}">${say('Edit')}</a></td>`
        : ''
    }</tr>`;
  const heads = [
    ...[say('Position'), say('Device'), say('Role in the chassis'), say('Priority'), say('Status')],
    ...(mayEdit ? [say('Actions')] : []),
  ];
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${say('Members')}"><table class="list"><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${results.map(row)}</tbody></table></div>`;
  return html`${results.length ? table : html`<p class="none">${say('No device is a member yet.')}</p>`}<p>${
    mayAdd
      ? html`<a href="/dcim/devices/add/?virtual_chassis=${object.id}&return_url=${back}">${say('Add a member')}</a>`
      : ''
  }${count > results.length ? html` <a href="/dcim/devices/?${list}">${say('All {count}', { count })}</a>` : ''}</p>`;
}

/** The devices of a virtual chassis, in their order. */
export const panels: Panel[] = [
  { on: 'dcim.virtualchassis', as: 'panel', name: 'members', title: 'Members', shows: ['members'], render: members },
];
