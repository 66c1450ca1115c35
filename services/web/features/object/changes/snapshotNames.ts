import { apiPath, type Json, type Model, webPath } from '@cadastre/model';
import { html, type Html, type Listed } from '@cadastre/pages';
import { empty, shown, type Showing } from '../../../schema/valueHtml.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { orNothing } from '../../../context/refusals.ts';
import type { Difference, Snapshot } from './differences.ts';

/** The names of the objects whose ids are in snapshots, if they still exist and the user may see them. */
export interface Names {
  of(type: string, id: number): Html;
}

/** The most objects of a type whose names one page requests. */
const MOST = 250;

/** The type of the objects whose ids are in a field of a snapshot. */
function typeOf(model: Model, name: string, snapshot: Snapshot): string | undefined {
  const field = model.fields[name];
  if (field?.special) return undefined;
  if (field?.relation) return field.relation.to;
  const generic = Object.values(model.fields).find((one) => one.generic?.idField === name)?.generic;
  const type = generic && snapshot?.[generic.typeField];
  return typeof type === 'string' ? type : undefined;
}

const idsIn = (value: Json | undefined): number[] =>
  [value ?? []].flat().flatMap((one) => (typeof one === 'number' ? [one] : []));

/** The names of the objects in snapshots: one request for each type, however many snapshots there are. */
export async function namesIn(
  { api, catalogue, may }: Pick<PageRequest, 'api' | 'catalogue' | 'may'>,
  all: readonly { model: Model | undefined; snapshots: readonly Snapshot[]; differences: readonly Difference[] }[],
): Promise<Names> {
  const wanted = new Map<string, Set<number>>();
  for (const { model, snapshots, differences } of all)
    for (const { name } of differences)
      for (const snapshot of snapshots) {
        const type = model && name !== undefined ? typeOf(model, name, snapshot) : undefined;
        if (type === undefined || !catalogue.has(type)) continue;
        const ids = wanted.get(type) ?? new Set();
        for (const id of idsIn(snapshot?.[name!])) ids.add(id);
        wanted.set(type, ids);
      }
  const names = new Map<string, Html>();
  await Promise.all(
    [...wanted].map(async ([type, ids]) => {
      if (!ids.size || !(await may('view', type))) return;
      const model = catalogue.get(type);
      const query = [...ids].slice(0, MOST).map((id) => `id=${id}`);
      const list = await orNothing(
        api.get<Listed<Shown>>(`${apiPath(model)}?${query.join('&')}&brief=true&limit=${MOST}`),
      );
      const page = webPath(model);
      for (const { id, display } of list?.results ?? [])
        names.set(`${type} ${id}`, page ? html`<a href="${page}${id}/">${display}</a>` : html`${display}`);
    }),
  );
  return { of: (type, id) => names.get(`${type} ${id}`) ?? html`#${id}` };
}

/** A value of a snapshot in words. */
export function snapshotValue(
  value: Json | undefined,
  name: string | undefined,
  snapshot: Snapshot,
  model: Model | undefined,
  names: Names,
  showing: Showing,
): Html {
  if (value === null || value === undefined || value === '') return empty;
  if (!model || name === undefined) return shown(value, undefined, showing);
  const type = typeOf(model, name, snapshot);
  if (type !== undefined) {
    const ids = idsIn(value);
    if (ids.length) return html`${ids.map((id, i) => html`${i ? ', ' : ''}${names.of(type, id)}`)}`;
  }
  const field = model.fields[name];
  if (Array.isArray(value))
    return html`${value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')}`;
  const choice = field?.choices?.find((one) => one.value === value);
  return choice ? shown({ value: choice.value, label: choice.label }, field, showing) : shown(value, field, showing);
}
