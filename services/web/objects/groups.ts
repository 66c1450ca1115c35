import type { Json, Model } from '@cadastre/model';
import { singularLabel } from '../model/labels.ts';
import type { Named } from '../model/members.ts';

export interface FieldGroup {
  title: string;
  fields: Named[];
}

/** What the model puts in no group stands first, under its own name; then the groups that it declares. */
export function groupsOf(model: Model, fields: readonly Named[]): FieldGroup[] {
  const declared = model.pages?.groups ?? [];
  const byName = new Map(fields.map((one) => [one[0], one]));
  const named = new Set(declared.flatMap((group) => group.fields));
  return [
    { title: singularLabel(model), fields: fields.filter(([name]) => !named.has(name)) },
    ...declared.map(({ title, fields: names }) => ({
      title,
      fields: names.flatMap((name): Named[] => {
        const one = byName.get(name);
        return one ? [one] : [];
      }),
    })),
  ].filter((group) => group.fields.length);
}

/** Whether a value says nothing. */
export const isNothing = (value: Json | undefined): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** Whether a value has members of its own, so that it is no line of text. */
export const isStructured = (value: Json | undefined): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !['url', 'display', 'label'].some((name) => name in value);
