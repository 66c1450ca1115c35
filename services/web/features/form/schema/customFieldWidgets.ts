import type { Json, Model } from '@cadastre/model';
import { yesNo } from '../../../schema/widgets.ts';
import type { Kind, Widget } from '../../../schema/widget.ts';
import type { Listed } from '@cadastre/pages';
import { orNothing } from '../../../context/referring.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';

interface Definition extends Shown {
  name: string;
  label: string;
  description: string;
  group_name: string;
  required: boolean;
  type: { value: string; label: string };
  related_object_type: string | null;
  choice_set: { id: number } | null;
  default: Json;
}

/** A custom field of a form: its field has `cf_` before its name. */
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

/** Choices are fetched with their sets; so many of a set are shown. */
const MOST_CHOICES = 500;

/** The custom fields of a type of objects, as somebody fills them in; what they may not see of them stays as it is. */
export async function customWidgets({ api, catalogue }: PageRequest, model: Model): Promise<CustomWidget[]> {
  if (!model.features.has('customFields') || !catalogue.has('extras.customfield')) return [];
  const found = await orNothing(
    api.get<Listed<Definition>>(`/api/extras/custom-fields/?object_type=${model.name}&ui_editable=yes&limit=500`),
  );
  const results = found?.results ?? [];
  const sets = [...new Set(results.flatMap(({ choice_set: set }) => set?.id ?? []))];
  const choices = new Map(
    await Promise.all(
      sets.map(async (id) => {
        const list = await orNothing(
          api.get<Listed<Shown & { display: string }>>(
            `/api/extras/custom-field-choice-sets/${id}/choices/?limit=${MOST_CHOICES}`,
          ),
        );
        return [id, list?.results.map((one) => ({ value: String(one.id), label: one.display }))] as const;
      }),
    ),
  );
  const known = results.filter(({ choice_set: set }) => !set || choices.get(set.id));
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
