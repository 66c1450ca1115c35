import type { Choice, Json, Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { Shown, PageRequest } from './pageRequest.ts';
import { orNone, orNothing } from './refusals.ts';

/** A custom field as the API shows it. */
export interface CustomField extends Shown {
  name: string;
  label: string;
  description: string;
  group_name: string;
  required: boolean;
  type: { value: string };
  default: Json;
  filter_logic: { value: string };
  ui_visible: { value: string };
  related_object_type: string | null;
  choice_set: { id: number } | null;
}

/** How many choices of a set are offered at most. */
const MOST_CHOICES = 500;

/** The custom fields of a type that the user may see, in display order; with `filter`, only the matching ones. */
export async function customFieldsOf(
  { api, catalogue }: PageRequest,
  model: Model,
  filter: Record<string, string> = {},
): Promise<CustomField[]> {
  if (!model.features.has('customFields') || !catalogue.has('extras.customfield')) return [];
  const asked = new URLSearchParams({ object_type: model.name, ...filter, limit: '500' });
  return (await orNone(api.get<Listed<CustomField>>(`/api/extras/custom-fields/?${asked}`))).results;
}

/** The choices of custom fields by their sets, without sets that the user may not see. */
export async function customChoicesOf(
  { api }: PageRequest,
  fields: readonly CustomField[],
): Promise<ReadonlyMap<number, Choice[]>> {
  const sets = [...new Set(fields.flatMap(({ choice_set: set }) => set?.id ?? []))];
  const lists = await Promise.all(
    sets.map((id) =>
      orNothing(
        api.get<Listed<{ id: string; display: string }>>(
          `/api/extras/custom-field-choice-sets/${id}/choices/?limit=${MOST_CHOICES}`,
        ),
      ),
    ),
  );
  return new Map(
    sets.flatMap((id, i): [number, Choice[]][] => {
      const list = lists[i];
      return list ? [[id, list.results.map((one) => ({ value: String(one.id), label: one.display }))]] : [];
    }),
  );
}
