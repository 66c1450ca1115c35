import type { Field, Json, Model } from '@cadastre/model';
import { html, type Html } from '@cadastre/pages';
import { shown, type Showing } from '../../../schema/valueHtml.ts';
import { fieldLabel } from '../../../schema/labels.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { isNothing } from './values.ts';
import { markdown } from './markdown.ts';
import { readable } from './readable.ts';
import { customFieldsOf } from '../../../context/customFields.ts';

export interface CustomGroup {
  name: string;
  rows: { label: string; help: string; value: Html }[];
}

/** The custom fields of an object in their groups, with the visibility that is set for each. */
export async function customGroups(
  request: PageRequest,
  model: Model,
  object: Shown,
  showing: Showing,
): Promise<CustomGroup[]> {
  const values = Object.entries((object['custom_fields'] ?? {}) as Record<string, Json>);
  if (!values.length) return [];
  const fields = (await request.may('view', 'extras.customfield')) ? await customFieldsOf(request, model) : [];
  const known = new Map(fields.map((one) => [one.name, one]));
  const order = new Map([...known.keys()].map((name, i) => [name, i]));
  const groups = new Map<string, CustomGroup>();
  for (const [name, value] of values.sort(([a], [b]) => (order.get(a) ?? 1e6) - (order.get(b) ?? 1e6))) {
    const field = known.get(name);
    const visible = field?.ui_visible.value ?? 'always';
    if (visible === 'hidden' || (visible === 'if-set' && isNothing(value))) continue;
    const group = groups.get(field?.group_name ?? '') ?? { name: field?.group_name ?? '', rows: [] };
    groups.set(group.name, group);
    group.rows.push({
      label: field?.label || fieldLabel(name),
      help: field?.description ?? '',
      value: customValue(value, field?.type.value, showing),
    });
  }
  return [...groups.values()];
}

/** Values are shown as a field of the same kind would be. */
const KINDS: Record<string, Pick<Field, 'kind'>> = { url: { kind: 'url' }, datetime: { kind: 'datetime' } };

function customValue(value: Json, type: string | undefined, showing: Showing): Html {
  if (isNothing(value)) return shown(value, undefined, showing);
  if (type === 'longtext' && typeof value === 'string') return html`<div class="prose">${markdown(value)}</div>`;
  if (type === 'json') return readable(value);
  return shown(value, KINDS[type ?? ''] as Field | undefined, showing);
}
