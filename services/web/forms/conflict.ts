import type { Json, Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { moment } from '../cells.ts';
import type { Widget } from '../model/widgets.ts';
import type { Shown, Visit } from '../visit.ts';
import type { FormField } from './fields.ts';
import { textsOf } from './values.ts';

/** A field that two people have filled in differently. */
export interface Difference {
  name: string;
  label: string;
  theirs: string;
  yours: string;
}

const labelsIn = (value: Json | undefined): Map<string, string> =>
  new Map(
    ([value].flat() as unknown[]).flatMap((one): [string, string][] => {
      if (typeof one !== 'object' || one === null) return [];
      const { id, value: chosen, display, label } = one as Record<string, unknown>;
      return [[String(id ?? chosen), String(display ?? label ?? id ?? chosen)]];
    }),
  );

/** What differs between an object as it is now and what stands in the form. */
export function differencesOf(fields: readonly FormField[], object: { readonly [member: string]: Json }): Difference[] {
  return fields.flatMap((field) => {
    if (field.kind === 'secret' || field.kind === 'file') return [];
    const theirs = textsOf(field, object[field.name]);
    if (same(field, theirs, field.values)) return [];
    const names = labelsIn(object[field.shownBy && object[field.ofField!] !== null ? field.shownBy : field.name]);
    for (const { value, label } of field.options) if (!names.has(value)) names.set(value, label);
    const shown = (values: readonly string[]) => values.map((one) => names.get(one) ?? one).join(', ');
    return [{ name: field.name, label: field.label, theirs: shown(theirs), yours: shown(field.values) }];
  });
}

/** Texts are equal whatever ends their lines; several values in whatever order. */
function same({ kind }: Widget, a: readonly string[], b: readonly string[]): boolean {
  const plain = (values: readonly string[]) =>
    values
      .map((one) => one.replaceAll('\r\n', '\n').trim())
      .filter((one) => one !== '')
      .map((one) => (kind === 'number' && one !== '' && Number.isFinite(Number(one)) ? String(Number(one)) : one))
      .toSorted();
  return plain(a).join('\0') === plain(b).join('\0');
}

export interface LastChange {
  user: string;
  moment: ReturnType<typeof moment>;
  message: string;
}

/** Who changed an object last; nothing for who may not see the change log. */
export async function lastChange({ api }: Visit, model: Model, id: number): Promise<LastChange | undefined> {
  try {
    const { results } = await api.get<Listed<Shown & { user_name: string; time: string; message: string }>>(
      `/api/core/object-changes/?changed_object_type=${model.name}&changed_object_id=${id}&ordering=-time&limit=1`,
    );
    const [last] = results;
    return last && { user: last.user_name, moment: moment(last.time), message: last.message ?? '' };
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
