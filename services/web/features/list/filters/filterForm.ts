import { apiPath, filterNamed, type Model, webPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { filtersIn } from '../../../ui/url/listQuery.ts';
import { localFilter, zoneOf } from '../../../ui/time/formTimes.ts';
import { usualColumns } from '../../../schema/columns.ts';
import { OFFERED } from '../../form/fields/field.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { Chip } from './chips.ts';
import { type Control, controlsOf } from './controls.ts';
import { customControls } from './customFieldFilters.ts';
import { orNone } from '../../../context/refusals.ts';
import { momentField } from './givenFilters.ts';
import { keyedControls } from './keyed.ts';
import { lookupField, type LookupOption, lookupOptions } from './lookup.ts';

/** A filter in the filter form. */
interface FilterField extends Pick<Control, 'name' | 'label' | 'kind'> {
  lookupName: string;
  lookups: LookupOption[];
  values: string[];
  /** The inputs for typed values: one for each value, or an empty one. */
  inputs: { type: 'text' | 'date' | 'datetime-local'; name: string; value: string }[];
  options: { value: string; label: string; chosen: boolean }[];
  /** The address at which a picker searches. */
  find: string | undefined;
  /** The text that a user without scripts has searched for. */
  looked: string;
  problem: string | undefined;
}

interface FilterGroup {
  label: 'filtersOften' | 'filtersAll' | 'customFields';
  open: boolean;
  fields: FilterField[];
}

export interface FilterForm {
  groups: FilterGroup[];
  /** Applied filters that have no input in the form. */
  rest: [name: string, value: string][];
  /** The saved filters of this list. */
  saved: { href: string; label: string; here: boolean }[];
  /** The zone of the times in the form, and whether the user has chosen it. */
  zone?: string;
  zoneChosen?: boolean;
}

/** The lookup and the values that the address has for one control. */
interface Said {
  lookup: string;
  values: string[];
}

/** The filter form of a list, with the applied filters. */
export async function filterForm(
  request: PageRequest,
  model: Model,
  home: string,
  chips: readonly Chip[],
  problems: Readonly<Record<string, string>>,
): Promise<FilterForm> {
  const { catalogue, query } = request;
  const [keyed, custom, saved, found] = await Promise.all([
    keyedControls(request, model),
    customControls(request, model),
    savedFilters(request, model),
    foundFor(request, controlsOf(model, catalogue)),
  ]);
  const controls = [...controlsOf(model, catalogue), ...keyed, ...custom];
  const { said, rest } = saidIn(request, model, controls);
  const often = new Set([...model.display.columns.slice(0, 1), ...usualColumns(model), 'tags']);
  const fieldOf = (control: Control): FilterField => {
    const here = said.get(control.name);
    const values = here?.values ?? [];
    const target = control.of === undefined ? undefined : catalogue.models.get(control.of);
    return {
      name: control.name,
      label: control.label,
      kind: control.kind,
      lookupName: lookupField(control.name),
      lookups: lookupOptions(control, here?.lookup, request.texts),
      values,
      inputs: (values.length ? values : ['']).map((value) => inputOf(control, value)),
      options:
        control.kind === 'pickers'
          ? [...picked(values, control, chips), ...(found?.name === control.name ? found.options : [])].filter(
              (one, i, all) => all.findIndex(({ value }) => value === one.value) === i,
            )
          : control.choices.map(({ value, label }) => ({
              value: String(value),
              label,
              chosen: values.includes(String(value)),
            })),
      find: control.kind === 'pickers' && target ? `${webPath(target)}options/` : undefined,
      looked: found?.name === control.name ? found.text : '',
      problem: problemFor(control.name, problems),
    };
  };
  const groupOf = (label: FilterGroup['label'], of: readonly Control[], open = false): FilterGroup => ({
    label,
    open: open || of.some(({ name }) => said.has(name) || found?.name === name || problemFor(name, problems)),
    fields: of.map(fieldOf),
  });
  const places = [...often];
  const placeOf = ({ field }: Control): number => places.indexOf(field ?? '');
  const isOften = ({ field, custom: own }: Control): boolean => !own && field !== undefined && often.has(field);
  return {
    groups: [
      groupOf(
        'filtersOften',
        controls.filter(isOften).sort((a, b) => placeOf(a) - placeOf(b)),
        true,
      ),
      groupOf(
        'filtersAll',
        controls.filter((one) => !isOften(one) && !one.custom),
      ),
      groupOf('customFields', custom),
    ].filter(({ fields }) => fields.length),
    rest,
    ...zoneOf(controls),
    saved: saved.map(({ slug, name }) => ({
      href: `${home}?${new URLSearchParams({ filter: slug })}`,
      label: name,
      here: query.getAll('filter').includes(slug),
    })),
  };
}

function inputOf({ kind, name }: Control, value: string): FilterField['inputs'][number] {
  const local = kind === 'datetime' ? (value === '' ? '' : localFilter(value)) : undefined;
  if (local !== undefined) return { type: 'datetime-local', name: momentField(name), value: local };
  return { type: kind === 'date' ? 'date' : 'text', name, value };
}

const picked = (values: readonly string[], { name }: Control, chips: readonly Chip[]) =>
  values.map((value) => ({
    value,
    label: chips.find((one) => one.name.split('__')[0] === name && one.given === value)?.value || value,
    chosen: true,
  }));

/** The controls that the address sets; parameters that no control can represent are kept in the form unchanged. */
function saidIn(
  { catalogue, query }: PageRequest,
  model: Model,
  controls: readonly Control[],
): { said: Map<string, Said>; rest: [string, string][] } {
  const byName = new Map(controls.map((one) => [one.name, one]));
  const said = new Map<string, Said>();
  const rest: [string, string][] = [];
  for (const [parameter, value] of filtersIn(query)) {
    if (parameter === 'q') {
      rest.push([parameter, value]);
      continue;
    }
    const suffix = filterNamed(catalogue.filtersOf(model), parameter)?.[2] ?? /__([a-z]+)$/.exec(parameter)?.[1] ?? '';
    const name = suffix === '' ? parameter : parameter.slice(0, -suffix.length - 2);
    const control = byName.get(name) ?? byName.get(parameter);
    const lookup =
      suffix === 'empty' ? `empty:${/^(true|1)$/i.test(value)}` : value === 'null' ? `${suffix}:null` : suffix;
    const before = control && said.get(control.name);
    if (!control || (before && before.lookup !== lookup)) rest.push([parameter, value]);
    else if (before) before.values.push(value);
    else said.set(control.name, { lookup, values: lookup.includes(':') ? [] : [value] });
  }
  return { said, rest };
}

const problemFor = (name: string, problems: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(problems).find(([one]) => one === name || one.startsWith(`${name}__`))?.[1];

/** The result of a search in a picker without scripts. */
async function foundFor({ query, api, catalogue }: PageRequest, controls: readonly Control[]) {
  const name = query.get('_find');
  const control = name === null ? undefined : controls.find((one) => one.name === name);
  const target = control?.of === undefined ? undefined : catalogue.models.get(control.of);
  if (!control || !target) return undefined;
  const text = query.get(`find.${name}`) ?? '';
  const asked = new URLSearchParams({ brief: 'true', limit: String(OFFERED), ...(text ? { q: text } : {}) });
  const { results } = await orNone(api.get<Listed<Shown>>(`${apiPath(target)}?${asked}`));
  return {
    name: control.name,
    text,
    options: results.map(({ id, display }) => ({ value: String(id), label: display, chosen: false })),
  };
}

async function savedFilters({ api, catalogue }: PageRequest, model: Model): Promise<{ slug: string; name: string }[]> {
  if (!catalogue.has('extras.savedfilter')) return [];
  const asked = new URLSearchParams({ object_type: model.name, usable: 'true', fields: 'slug,name', limit: '100' });
  return (await orNone(api.get<Listed<{ slug: string; name: string }>>(`/api/extras/saved-filters/?${asked}`))).results;
}
