import {
  apiPath,
  type Catalogue,
  type Dict,
  type DocumentPart,
  type Documents,
  type Field,
  isDict,
  type JoinedRows,
  type Json,
  type Model,
} from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { stringify } from 'yaml';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';

/** How many ids stand in one address at most. */
const IDS = 100;
const PAGE = 1_000;

/** The parts of objects, by list and by the id of their object. */
type Parts = ReadonlyMap<string, ReadonlyMap<number, readonly Shown[]>>;

/**
 * Objects as documents that contain their parts, in the format of the public library, which import pages accept. The
 * number of requests grows with the parts, in pages of a thousand, and with every hundred objects.
 */
export async function documentsOf(
  request: Pick<PageRequest, 'api' | 'catalogue'>,
  model: Model,
  objects: readonly Shown[],
): Promise<Dict[]> {
  const { catalogue } = request;
  const kinds = model.documents!;
  const lists = await Promise.all(
    Object.entries(kinds.parts).map(async ([list, kind]): Promise<[string, Map<number, Shown[]>]> => {
      const parts = await partsOf(request, kind, objects);
      return [list, Map.groupBy(parts, (part) => (part[kind.by] as Shown).id)];
    }),
  );
  const parts = new Map(lists);
  return objects.map((object) => documentOf(catalogue, model, kinds, object, parts));
}

/** YAML that older parsers also read as intended: `on`, `1:30` and `012` are texts. */
export const documentText = (document: Dict): string =>
  `---\n${stringify(document, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`;

async function partsOf(
  { api, catalogue }: Pick<PageRequest, 'api' | 'catalogue'>,
  { type, by }: DocumentPart,
  objects: readonly Shown[],
): Promise<Shown[]> {
  const target = catalogue.models.get(type);
  const all: Shown[] = [];
  for (let at = 0; target && at < objects.length; at += IDS) {
    const asked = new URLSearchParams({ limit: String(PAGE) });
    for (const { id } of objects.slice(at, at + IDS)) asked.append(`${by}_id`, String(id));
    for (let offset = 0; ; offset += PAGE) {
      asked.set('offset', String(offset));
      const { results, next } = await api.get<Listed<Shown> & { next: string | null }>(`${apiPath(target)}?${asked}`);
      all.push(...results);
      if (next === null) break;
    }
  }
  return all;
}

function documentOf(catalogue: Catalogue, model: Model, kinds: Documents, object: Shown, parts: Parts): Dict {
  const called = new Map(Object.entries(kinds.also ?? {}).map(([name, field]) => [field, name]));
  const document: Dict = {};
  for (const [name, field] of Object.entries(model.fields)) {
    const value = isSaid(field) ? written(field, object[name]) : undefined;
    if (!isEmpty(value) && !(value === false && field.default === false)) document[called.get(name) ?? name] = value!;
  }
  for (const [list, kind] of Object.entries(kinds.parts)) {
    const own = parts.get(list)?.get(object.id) ?? [];
    const target = catalogue.models.get(kind.type);
    if (own.length && target) document[list] = own.map((part) => partOf(target, kind, part, own));
  }
  for (const [list, join] of Object.entries(kinds.joined ?? {})) {
    const rows = rowsOf(join, object, parts);
    if (rows.length) document[list] = rows;
  }
  return document;
}

/** A part in a document: only the values that differ from the defaults. */
function partOf(target: Model, kind: DocumentPart, part: Shown, siblings: readonly Shown[]): Dict {
  const said: Dict = {};
  const { names = {}, component, by } = kind;
  for (const [name, field] of Object.entries(target.fields)) {
    if (name === by || !isSaid(field) || field.owned) continue;
    const value = name in names ? nameOf(part[name], siblings) : written(field, part[name]);
    if (!isEmpty(value) && value !== field.default && name !== component?.id) said[name] = value!;
  }
  const generic = component && Object.values(target.fields).find((field) => field.generic?.idField === component.id);
  if (component && generic) {
    const shown = Object.entries(target.fields).find(([, field]) => field === generic)![0];
    const other = part[shown];
    if (isDict(other)) said[component.name] = other['name']!;
    else delete said[component.type];
  }
  return said;
}

/** Rows that have a list of their own in a document. */
function rowsOf(join: JoinedRows, { id }: Shown, parts: Parts): Dict[] {
  const names = new Map(
    Object.entries(join.names).map(([member, list]) => [
      member,
      new Map((parts.get(list)?.get(id) ?? []).map((one) => [one.id, one['name']!])),
    ]),
  );
  return (parts.get(join.into)?.get(id) ?? []).flatMap((part) => {
    const rows = part[join.list];
    return (Array.isArray(rows) ? rows : []).filter(isDict).map((row) => ({
      [join.by]: part['name']!,
      ...Object.fromEntries(
        Object.entries(join.members).map(([member, name]) => [
          name,
          names.get(member)?.get(Number(row[member])) ?? row[member]!,
        ]),
      ),
    }));
  });
}

/** Whether clients can write a field, so that a document contains it. */
const isSaid = ({ readOnly, hidden, writeOnly, secret }: Field): boolean =>
  !readOnly && !hidden && !writeOnly && !secret;

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && !value.length) ||
  (isDict(value) && !Object.keys(value).length);

/** The name of another part, which the API shows in brief or by its id. */
const nameOf = (value: Json | undefined, siblings: readonly Shown[]): Json | undefined =>
  isDict(value) ? value['name'] : siblings.find(({ id }) => id === value)?.['name'];

/** A value in the format of a document. */
function written(field: Field, value: Json | undefined): Json | undefined {
  // The public library has pictures in a separate folder.
  if (field.upload) return value ? true : undefined;
  if (field.special === 'tags') return Array.isArray(value) ? value.map((tag) => (tag as Dict)['slug']!) : undefined;
  if (field.special === 'customFields') return isDict(value) ? customFields(value) : undefined;
  if (field.relation?.many) return Array.isArray(value) ? value.map(called) : undefined;
  if (field.relation) return value === null || value === undefined ? undefined : called(value);
  return isDict(value) && field.choices ? value['value'] : value;
}

const called = (value: Json): Json => (isDict(value) ? (value['name'] ?? value['id'] ?? null) : value);

const customFields = (values: Dict): Dict =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => [name, idsIn(value)]),
  );

/** Objects in custom fields, as ids. */
const idsIn = (value: Json): Json =>
  Array.isArray(value) ? value.map(idsIn) : isDict(value) && 'url' in value && 'id' in value ? value['id']! : value;
