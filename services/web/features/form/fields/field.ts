import { apiPath, type Json, type Model, webPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import type { Widget } from '../../../schema/widget.ts';
import { orNothing } from '../../../context/refusals.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { Row } from './rows.ts';
import { formZone, localText } from '../../../ui/time/formTimes.ts';
import { textsOf } from './values.ts';

/** How many objects are offered at once at most. */
export const OFFERED = 50;

interface Option {
  value: string;
  label: string;
  chosen: boolean;
  /** The heading that it stands under. */
  group?: string | undefined;
}

/** A row that is filled in: its name among the others, and its fields. */
export interface RowFields {
  name: string;
  cells: FormField[];
}

/** A field of a form, ready to be shown. */
export interface FormField extends Widget {
  values: string[];
  options: Option[];
  problem: string | undefined;
  /** Where a picker finds more, and where one makes a new object. */
  find: string | undefined;
  make: string | undefined;
  /** The same by type, as JSON, for a picker whose type another field says. */
  finds: string | undefined;
  /** What it is narrowed by, as JSON: a filter's name, and the field whose value it takes, or a value. */
  narrowing: string | undefined;
  /** What stands in a list besides its options. */
  others: string;
  /** The zone in which a time is meant. */
  zone: string | undefined;
  /** What somebody without scripts was looking for. */
  looked: string;
  /** The rows that it consists of, and an empty one. */
  made?: RowFields[];
  blank?: FormField[];
}

/** What stands in a form: what was given, or an object's members. */
export interface Filled {
  /** The rows that were given of a field, and whether one more is wanted; undefined where nothing was said of them. */
  rows?(widget: Widget): { rows: readonly Row[]; more: boolean } | undefined;
  /** The texts of a field, or undefined where nothing was said of it. */
  given(name: string): string[] | undefined;
  object: { readonly [member: string]: Json } | undefined;
  problems: Record<string, string>;
  /** The field whose objects somebody without scripts wants to find, and by what. */
  finding: { name: string; text: string } | undefined;
}

function valuesOf(widget: Widget, { given, object }: Filled): string[] {
  const texts = given(widget.name) ?? textsOf(widget, object?.[widget.name]);
  // An address may name a moment as the API does.
  return widget.kind === 'datetime' ? texts.map((one) => localText(one)) : texts;
}

export async function fieldOf(
  request: PageRequest,
  widgets: readonly Widget[],
  widget: Widget,
  filled: Filled,
): Promise<FormField> {
  const { catalogue, may } = request;
  const values = valuesOf(widget, filled);
  const chooser = widgets.find(({ name }) => name === widget.ofField);
  const type = chooser ? valuesOf(chooser, filled)[0] : widget.of;
  const target = type === undefined ? undefined : catalogue.models.get(type);
  const page = target && webPath(target);
  const found = filled.finding?.name === widget.name ? filled.finding.text : undefined;
  const self = filled.object?.['id'];
  const narrowing = Object.entries(widget.narrowed ?? {}).flatMap(([filter, name]): [string, string, string][] => {
    if (name === 'id') return self === undefined ? [] : [[filter, '', String(self)]];
    const other = widgets.find((one) => one.name === name);
    return other ? [[filter, name, valuesOf(other, filled)[0] ?? '']] : [];
  });
  return {
    ...widget,
    values,
    options:
      widget.kind !== 'picker' && widget.kind !== 'pickers'
        ? optionsAmong(widget, values)
        : target
          ? await optionsOf(request, target, values, shownOf(widget, filled, type), found, narrowing)
          : values.map((value) => ({ value, label: value, chosen: true })),
    problem: filled.problems[widget.name],
    find: page === undefined ? undefined : `${page}options/`,
    make:
      page !== undefined && target && !target.readOnly && (await may('add', target.name)) ? `${page}add/` : undefined,
    finds: chooser && JSON.stringify(findsOf(request, chooser)),
    narrowing: narrowing.length
      ? JSON.stringify(narrowing.map(([filter, field, value]) => ({ filter, field, value: field ? undefined : value })))
      : undefined,
    others: values.filter((value) => !widget.choices.some((one) => String(one.value) === value)).join(', '),
    zone: widget.kind === 'datetime' ? formZone() : undefined,
    looked: found ?? '',
  };
}

/** Where a picker finds the objects of each type that it may have. */
const findsOf = ({ catalogue }: PageRequest, chooser: Widget): Record<string, string> =>
  Object.fromEntries(chooser.choices.map(({ value }) => [value, `${webPath(catalogue.get(String(value)))}options/`]));

/** A value that is no choice, or no longer one, stays until somebody chooses another. */
function optionsAmong({ kind, choices }: Widget, values: readonly string[]): Option[] {
  if (kind !== 'select' && kind !== 'selects' && kind !== 'checks') return [];
  const options = choices.map(({ value, label, group = '' }) => ({ value: String(value), label, group }));
  // Beside boxes there is a field for what else there is.
  const others = (kind === 'checks' ? [] : values).filter(
    (value) => value !== '' && !options.some((one) => one.value === value),
  );
  return [...options, ...others.map((value) => ({ value, label: value, group: '' }))].map((one) => ({
    ...one,
    chosen: values.includes(one.value),
  }));
}

type Named = { id: number; display: string };

/** The member of the object that says what the picker's value is called. */
const shownOf = ({ name, ofField, shownBy }: Widget, { object }: Filled, type: string | undefined): Json | undefined =>
  ofField && shownBy ? (object?.[ofField] === type ? object?.[shownBy] : undefined) : object?.[name];

/** The objects that a picker holds, and those that were looked for without scripts. */
async function optionsOf(
  { api }: PageRequest,
  target: Model,
  values: readonly string[],
  shown: Json | undefined,
  looked: string | undefined,
  narrowing: readonly [string, string, string][],
): Promise<Option[]> {
  const known = new Map<string, string>();
  for (const one of [shown].flat() as unknown[])
    if (typeof one === 'object' && one !== null && 'id' in one)
      known.set(String((one as Named).id), (one as Named).display);
  const ids = values.filter((value) => /^\d{1,15}$/.test(value) && !known.has(value));
  const list = (query: string) =>
    orNothing(api.get<Listed<Shown>>(`${apiPath(target)}?${query}&brief=true&limit=${OFFERED}`));
  const asked = new URLSearchParams(looked ? { q: looked } : {});
  for (const [filter, , value] of narrowing) if (value) asked.append(filter, value);
  const [missing, found] = await Promise.all([
    ids.length ? list(ids.map((id) => `id=${id}`).join('&')) : undefined,
    looked === undefined ? undefined : list(String(asked)),
  ]);
  for (const { id, display } of missing?.results ?? []) known.set(String(id), display);
  const chosen = values
    .filter((value) => value !== '')
    .map((value) => ({ value, label: known.get(value) ?? `#${value}`, chosen: true }));
  const others = (found?.results ?? [])
    .filter(({ id }) => !values.includes(String(id)))
    .map(({ id, display }) => ({ value: String(id), label: display, chosen: false }));
  return [...chosen, ...others];
}
