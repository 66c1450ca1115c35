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

/** A row of a form: its name, and its fields. */
export interface RowFields {
  name: string;
  cells: FormField[];
}

/** A field of a form, ready to be rendered. */
export interface FormField extends Widget {
  values: string[];
  options: Option[];
  problem: string | undefined;
  /** The addresses at which a picker searches, and at which a new object is created. */
  find: string | undefined;
  make: string | undefined;
  /** The search addresses by type, as JSON, for a picker whose type is chosen in another field. */
  finds: string | undefined;
  /** The filters that narrow it, as JSON: the filter's name, and either a value or the field that has the value. */
  narrowing: string | undefined;
  /** The values of a list that are not among its options. */
  others: string;
  /** The zone in which a time is meant. */
  zone: string | undefined;
  /** The text that a user without scripts has searched for. */
  looked: string;
  /** The rows that it consists of, and an empty row as a template for new ones. */
  made?: RowFields[];
  blank?: FormField[];
}

/** The contents of a form: the submitted values, or an object's members. */
export interface Filled {
  /** The submitted rows of a field, and whether to add another; undefined if nothing was submitted for the field. */
  rows?(widget: Widget): { rows: readonly Row[]; more: boolean } | undefined;
  /** The submitted texts of a field; undefined if nothing was submitted for it. */
  given(name: string): string[] | undefined;
  object: { readonly [member: string]: Json } | undefined;
  problems: Record<string, string>;
  /** The field in which a user without scripts searches for objects, and the search text. */
  finding: { name: string; text: string } | undefined;
}

function valuesOf(widget: Widget, { given, object }: Filled): string[] {
  const texts = given(widget.name) ?? textsOf(widget, object?.[widget.name]);
  // A parameter of the address may have a time in the notation of the API.
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

/** The search addresses of a picker, by the types that it may have. */
const findsOf = ({ catalogue }: PageRequest, chooser: Widget): Record<string, string> =>
  Object.fromEntries(chooser.choices.map(({ value }) => [value, `${webPath(catalogue.get(String(value)))}options/`]));

/** A value that is not among the choices stays until the user chooses another. */
function optionsAmong({ kind, choices }: Widget, values: readonly string[]): Option[] {
  if (kind !== 'select' && kind !== 'selects' && kind !== 'checks') return [];
  const options = choices.map(({ value, label, group = '' }) => ({ value: String(value), label, group }));
  // Boxes have an additional field for other values.
  const others = (kind === 'checks' ? [] : values).filter(
    (value) => value !== '' && !options.some((one) => one.value === value),
  );
  return [...options, ...others.map((value) => ({ value, label: value, group: '' }))].map((one) => ({
    ...one,
    chosen: values.includes(one.value),
  }));
}

type Named = { id: number; display: string };

/** The member of the object that has the display name of the picker's value. */
const shownOf = ({ name, ofField, shownBy }: Widget, { object }: Filled, type: string | undefined): Json | undefined =>
  ofField && shownBy ? (object?.[ofField] === type ? object?.[shownBy] : undefined) : object?.[name];

/** The options of a picker: the objects that it holds, and those that a search without scripts has found. */
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
