import type { Json, Model } from '@cadastre/model';
import { yesNo } from '../../../schema/widgets.ts';
import type { Kind, Widget } from '../../../schema/widget.ts';
import { customChoicesOf, customFieldsOf } from '../../../context/customFields.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';

/** A custom field in a form, where its name has the prefix `cf_`. */
export interface CustomWidget extends Widget {
  custom: string;
  group: string;
  initial: Json;
}

const KINDS: Record<string, Kind> = {
  text: 'text',
  longtext: 'area',
  integer: 'number',
  decimal: 'number',
  boolean: 'select',
  date: 'date',
  datetime: 'datetime',
  url: 'url',
  json: 'json',
  select: 'select',
  multiselect: 'selects',
  object: 'picker',
  multiobject: 'pickers',
};

/** The widgets for the custom fields of a type; fields that the user may not see stay unchanged. */
export async function customWidgets(request: PageRequest, model: Model): Promise<CustomWidget[]> {
  const fields = await customFieldsOf(request, model, { ui_editable: 'yes' });
  const choices = await customChoicesOf(request, fields);
  const known = fields.filter(({ choice_set: set }) => !set || choices.get(set.id));
  return known.map((one) => ({
    custom: one.name,
    group: one.group_name,
    initial: one.default,
    name: `cf_${one.name}`,
    label: one.label || one.name,
    kind: KINDS[one.type.value] ?? 'text',
    required: one.required,
    nullable: true,
    help: one.description || undefined,
    choices: one.type.value === 'boolean' ? yesNo() : (choices.get(one.choice_set?.id ?? 0) ?? []),
    of: one.related_object_type ?? undefined,
    numbers: false,
    max: undefined,
  }));
}
