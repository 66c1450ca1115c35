import type { Choice, Model } from '@cadastre/model';
import { lookups } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { Control, ControlKind } from './controls.ts';

/** A custom field as it is declared. */
export interface CustomField extends Shown {
  name: string;
  label: string;
  group_name: string;
  type: { value: string };
  filter_logic: { value: string };
  related_object_type: string | null;
  choice_set: { id: number } | null;
}

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
/** So many choices of a set are offered. */
const MOST = 500;

/** What somebody may not see is not there. */
export async function orNone<T>(reading: Promise<Listed<T>>): Promise<Listed<T>> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return { count: 0, results: [] };
    throw error;
  }
}

/** The custom fields of a type, in the order in which they are shown. */
export async function customFieldsOf({ api, catalogue }: PageRequest, model: Model): Promise<CustomField[]> {
  if (!model.features.has('customFields') || !catalogue.has('extras.customfield')) return [];
  return (await orNone(api.get<Listed<CustomField>>(`/api/extras/custom-fields/?object_type=${model.name}&limit=500`)))
    .results;
}

/** The filters by custom fields. */
export async function customControls(request: PageRequest, model: Model): Promise<Control[]> {
  const fields = (await customFieldsOf(request, model)).filter((one) => one.filter_logic.value !== 'disabled');
  const sets = [...new Set(fields.flatMap(({ choice_set: set }) => set?.id ?? []))];
  const choices = new Map(await Promise.all(sets.map(async (id) => [id, await choicesOf(request, id)] as const)));
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

async function choicesOf({ api }: PageRequest, set: number): Promise<Choice[]> {
  const { results } = await orNone(
    api.get<Listed<{ id: string; display: string }>>(
      `/api/extras/custom-field-choice-sets/${set}/choices/?limit=${MOST}`,
    ),
  );
  return results.map(({ id, display }) => ({ value: String(id), label: display }));
}
