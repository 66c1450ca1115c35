import { lookups, type Model } from '@cadastre/model';
import { customChoicesOf, customFieldsOf } from '../../../context/customFields.ts';
import type { PageRequest } from '../../../context/pageRequest.ts';
import type { Control, ControlKind } from './controls.ts';

const KINDS: Record<string, ControlKind> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  select: 'selects',
  multiselect: 'selects',
  object: 'pickers',
  multiobject: 'pickers',
};

const FAMILIES = {
  integer: 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
} as const;
const OBJECTS = ['', 'n', 'empty'];
/** The filters by custom fields. */
export async function customControls(request: PageRequest, model: Model): Promise<Control[]> {
  const fields = (await customFieldsOf(request, model)).filter((one) => one.filter_logic.value !== 'disabled');
  const choices = await customChoicesOf(request, fields);
  return fields.map((one) => {
    const type = one.type.value;
    const family = FAMILIES[type as keyof typeof FAMILIES];
    const kind = KINDS[type] ?? 'text';
    return {
      name: `cf_${one.name}`,
      label: one.label || one.name,
      kind,
      lookups: family
        ? Object.keys(lookups[family])
        : ['multiselect', 'object', 'multiobject'].includes(type)
          ? OBJECTS
          : Object.keys(lookups.string),
      choices: choices.get(one.choice_set?.id ?? 0) ?? [],
      of: one.related_object_type ?? undefined,
      by: undefined,
      field: undefined,
      custom: true,
    };
  });
}
