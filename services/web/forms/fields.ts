import type { Catalogue, Json, Model } from '@cadastre/model';
import { apiPath, webPath } from '../model/addresses.ts';
import { singularLabel } from '../model/labels.ts';
import type { Widget } from '../model/widgets.ts';
import type { Listed } from '@cadastre/pages';
import { OFFERED } from '../pages/options.ts';
import type { Shown, Visit } from '../visit.ts';
import { textsOf } from './values.ts';

export interface Option {
  value: string;
  label: string;
  chosen: boolean;
}

/** A field of a form, ready to be shown. */
export interface FormField extends Widget {
  values: string[];
  options: Option[];
  problem: string | undefined;
  /** Where a picker finds more, and where one makes a new object. */
  find: string | undefined;
  make: string | undefined;
  /** What somebody without scripts was looking for. */
  looked: string;
}

/** What stands in a form: what was given, or an object's members. */
export interface Filled {
  /** The texts of a field, or undefined where nothing was said of it. */
  given(name: string): string[] | undefined;
  object: { readonly [member: string]: Json } | undefined;
  problems: Record<string, string>;
  /** The field whose objects somebody without scripts wants to find, and by what. */
  finding: { name: string; text: string } | undefined;
}

/** The fields of a form with their values; pickers know the objects that they hold. */
export const fieldsOf = (visit: Visit, widgets: readonly Widget[], filled: Filled): Promise<FormField[]> =>
  Promise.all(widgets.map((widget) => fieldOf(visit, widget, filled)));

async function fieldOf(visit: Visit, widget: Widget, filled: Filled): Promise<FormField> {
  const { catalogue, may } = visit;
  const given = filled.given(widget.name);
  const values = given ?? textsOf(widget, filled.object?.[widget.name]);
  const target = widget.of === undefined ? undefined : catalogue.models.get(widget.of);
  const page = target && webPath(target);
  const found = filled.finding?.name === widget.name ? filled.finding.text : undefined;
  return {
    ...widget,
    values,
    options: target
      ? await optionsOf(visit, target, values, given ? undefined : filled.object?.[widget.name], found)
      : optionsAmong(widget, values),
    problem: filled.problems[widget.name],
    find: page === undefined ? undefined : `${page}options/`,
    make: page !== undefined && target && (await may('add', target.name)) ? `${page}add/` : undefined,
    looked: found ?? '',
  };
}

const optionsAmong = ({ choices }: Widget, values: readonly string[]): Option[] =>
  choices.map(({ value, label }) => ({ value: String(value), label, chosen: values.includes(String(value)) }));

type Named = { id: number; display: string };

/** The objects that a picker holds, and those that were looked for without scripts. */
async function optionsOf(
  { api }: Visit,
  target: Model,
  values: readonly string[],
  shown: Json | undefined,
  looked: string | undefined,
): Promise<Option[]> {
  const known = new Map<string, string>();
  for (const one of [shown].flat() as unknown[])
    if (typeof one === 'object' && one !== null && 'id' in one)
      known.set(String((one as Named).id), (one as Named).display);
  const ids = values.filter((value) => /^\d{1,15}$/.test(value) && !known.has(value));
  const list = (query: string) => api.get<Listed<Shown>>(`${apiPath(target)}?${query}&brief=true&limit=${OFFERED}`);
  const [missing, found] = await Promise.all([
    ids.length ? list(ids.map((id) => `id=${id}`).join('&')) : undefined,
    looked === undefined ? undefined : list(looked ? `q=${encodeURIComponent(looked)}` : ''),
  ]);
  for (const { id, display } of missing?.results ?? []) known.set(String(id), display);
  const chosen = values.map((value) => ({ value, label: known.get(value) ?? value, chosen: true }));
  const others = (found?.results ?? [])
    .filter(({ id }) => !values.includes(String(id)))
    .map(({ id, display }) => ({ value: String(id), label: display, chosen: false }));
  return [...chosen, ...others];
}

/** The form of tags, which every kind of object takes alike. */
export const tagsWidget = (catalogue: Catalogue): Widget | undefined =>
  catalogue.has('extras.tag')
    ? {
        name: 'tags',
        label: singularLabel({ label: 'tags' }),
        kind: 'pickers',
        required: false,
        nullable: false,
        help: undefined,
        choices: [],
        of: 'extras.tag',
        numbers: false,
        max: undefined,
      }
    : undefined;
