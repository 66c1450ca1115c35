import { type Dict, type Field, isDict, type Json, MASK, type Model } from '@cadastre/model';

/** What the mapping knows of the two sides. */
export interface Known {
  /** The id that an object has at the target. */
  idOf(type: string, id: number): number;
  /** Whether all objects of `other` are stored before those of a type are first sent. */
  precedes(other: string, type: string): boolean;
  /** Whether objects of a type are imported. */
  comes(type: string): boolean;
  /** Whether the target knows a type at all, even if only as the type of a reference. */
  names(type: string): boolean;
  /** Whether the rows in a field are sent with its objects, not separately or with others. */
  rowsOf(model: Model, field: Field): boolean;
  /** The custom field of a name, if its values are references. */
  customReference(name: string): { to: string; many: boolean } | undefined;
}

/** The outcome of mapping a value. */
export interface Turned {
  /** What is sent; undefined where it is left out. */
  value?: Json;
  /** It refers to an object that is not stored yet. */
  later?: boolean;
  /** What could not be imported, in words. */
  lost?: string[];
}

/** The id of an object, in whatever form it is shown. */
export function idIn(value: Json | undefined): number | undefined {
  if (isDict(value)) return idIn(value['id']);
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Whether a value is empty: null, an empty text or list, zero, false. */
export const saysNothing = (value: Json | undefined): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);

/** A choice is shown with its label. */
const plain = (value: Json): Json => (isDict(value) && 'value' in value && 'label' in value ? value['value']! : value);

/** A value of a field of a type, as the target takes it. */
export function turned(model: Model, field: Field, value: Json, known: Known): Turned {
  if (field.owned) return rowsTurned(model, field, value, known);
  if (field.relation && field.relation.form !== 'key') return referencesTurned(model, field, value, known);
  // A value that is shown only when it is created is missing in later answers.
  if (field.onlyWhenCreated && saysNothing(value)) return {};
  if (value === null) return { value: emptyOf(field) };
  if (field.upload) return { value: value === '' ? null : { path: pathOf(String(value)) } };
  if (field.sealed && JSON.stringify(value).includes(`"${MASK}"`))
    return { lost: ['is a secret that the source does not show'] };
  if (field.kind === 'objectType') return typeTurned(value, known);
  if (field.kind === 'objectTypes') return typesTurned(value, known);
  if (field.kind === 'json') return { value };
  return { value: Array.isArray(value) ? value.map(plain) : plain(value) };
}

/** The empty value of a field: null, or the default of a field that is never null. */
const emptyOf = ({ nullable, default: usual }: Field): Json =>
  nullable || usual === undefined || typeof usual === 'function' ? null : usual;

/** The path of a file inside the folder of all files, from its address. */
const pathOf = (address: string): string => {
  const [path = ''] = address.split('?');
  const at = path.indexOf('/media/');
  return decodeURIComponent(at < 0 ? path : path.slice(at + '/media/'.length));
};

function referencesTurned(model: Model, { relation }: Field, value: Json, known: Known): Turned {
  const { to, many } = relation!;
  if (value === null || (many && saysNothing(value))) return { value };
  if (!known.comes(to)) return { lost: [`refers to ${to}, which is not here`] };
  const ids = (Array.isArray(value) ? value : [value]).map((one) => {
    const id = idIn(one);
    return id === undefined ? one : known.idOf(to, id);
  });
  return {
    value: many ? ids : ids[0]!,
    ...(known.precedes(to, model.name) || isParent(model, relation!.to) ? {} : { later: true }),
  };
}

/** Trees are stored from the root down, so that parents exist before their children. */
const isParent = (model: Model, to: string): boolean => model.tree === true && to === model.name;

function typeTurned(value: Json, known: Known): Turned {
  return known.names(String(value)) ? { value } : { lost: [`names ${String(value)}, which is not here`] };
}

function typesTurned(value: Json, known: Known): Turned {
  const types = Array.isArray(value) ? value.map(String) : [];
  const lost = types.filter((type) => !known.names(type));
  return {
    value: types.filter((type) => known.names(type)),
    ...(lost.length ? { lost: lost.map((type) => `names ${type}, which is not here`) } : {}),
  };
}

/** Rows that are part of an object. */
function rowsTurned(model: Model, { owned }: Field, value: Json, known: Known): Turned {
  const { from, members } = owned!;
  if (!Array.isArray(value)) return {};
  const lost: string[] = [];
  let later = false;
  const rows = value.filter(isDict).map((row): Dict => {
    const sent: Dict = {};
    for (const [member, name] of Object.entries(members)) {
      const field = from.fields[name]!;
      if (field.generic || row[member] === undefined) continue;
      const type = typeOf(from, name, row, members);
      const one =
        type === undefined
          ? turned({ ...from, name: model.name }, field, row[member], known)
          : pointedAt(model.name, type, row[member], known);
      if (one.lost) lost.push(...one.lost);
      if (one.later) later = true;
      if (one.value !== undefined) sent[member] = one.value;
    }
    return sent;
  });
  return lost.length ? { lost } : { value: rows, ...(later ? { later } : {}) };
}

/** Where a field of a row is the id of a generic reference: the type that the row refers to. */
function typeOf(from: Model, name: string, row: Dict, members: Readonly<Record<string, string>>): string | undefined {
  const pointer = Object.values(from.fields).find(({ generic }) => generic?.idField === name)?.generic;
  const member = Object.entries(members).find(([, field]) => field === pointer?.typeField)?.[0];
  return member === undefined ? undefined : String(row[member]);
}

/** The id of an object of a type that is known by its name only. */
export function pointedAt(type: string, to: string, id: Json, known: Known): Turned {
  if (!known.comes(to)) return { lost: [`refers to ${to}, which is not here`] };
  return {
    value: typeof id === 'number' ? known.idOf(to, id) : id,
    ...(known.precedes(to, type) ? {} : { later: true }),
  };
}
