import { type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { asToday } from './older.ts';
import { type Pointer, pointersOf, sentFields } from './sent.ts';
import { idIn, type Known, pointedAt, saysNothing, turned } from './values.ts';

/** A value that does not come along. */
interface Loss {
  field: string;
  why: string;
}

/** An object as the target takes it. */
export interface Mapped {
  /** Its id at the source. */
  id: number;
  /** What people call it. */
  display: string;
  /** What is sent first. */
  first: Dict;
  /** What is sent once everything else is there: what refers to objects that are stored later. */
  second?: Dict;
  lost: Loss[];
  /** Why it cannot come at all. */
  missing?: string;
  /** Of trees: the object above it, by its id at the target. */
  parent?: number;
}

/** What the target makes by itself, or needs no word of. */
const OF_THE_SOURCE = new Set(['id', 'url', 'display_url', 'display']);
/** Counts, which NetBox calls so wherever it has them. */
const COUNT = /(_count|^count_.*|_items)$/;
const CHANGED = 'last_updated';

/** Turns the representations of a type, as its API shows them, into what the target takes. */
export function mappingOf(model: Model, known: Known): (shown: Dict) => Mapped {
  const pointers = pointersOf(model);
  const pointing = new Set(pointers.flatMap(({ typeField, idField }) => [typeField, idField]));
  const fields = sentFields(model).filter(
    ([name, field]) => !pointing.has(name) && !(field.owned && !known.rowsOf(model, field)),
  );
  return (given) => {
    const shown = asToday(model.name, given);
    const id = known.idOf(model.name, Number(shown['id']));
    const mapped: Mapped = {
      id: Number(shown['id']),
      display: String(shown['display'] ?? ''),
      first: { id },
      lost: lackingIn(model, shown),
    };
    const later: Dict = {};
    for (const [name, field] of fields) {
      const value = shown[name];
      if (value === undefined) continue;
      if (field.special === 'customFields') {
        customFields(model, value, known, mapped.first, later);
        continue;
      }
      const one = turned(model, field, value, known);
      for (const why of one.lost ?? [])
        lose(mapped, name, why, field.required && !field.nullable && one.value === undefined);
      if (one.value === undefined) continue;
      (one.later ? later : mapped.first)[name] = one.value;
      if (model.tree && field.relation?.to === model.name && !field.relation.many && typeof one.value === 'number')
        mapped.parent = one.value;
    }
    for (const pointer of pointers) point(model, pointer, shown, known, mapped, later);
    if (Object.keys(later).length)
      mapped.second = {
        id,
        ...later,
        ...(mapped.first[CHANGED] === undefined ? {} : { [CHANGED]: mapped.first[CHANGED] }),
      };
    return mapped;
  };
}

const lose = (mapped: Mapped, field: string, why: string, needed: boolean): void => {
  mapped.lost.push({ field, why });
  if (needed) mapped.missing ??= `${field} ${why}`;
};

/** What an object points at, of whatever type. */
function point(model: Model, pointer: Pointer, shown: Dict, known: Known, mapped: Mapped, later: Dict): void {
  const { typeField, idField, optional, outlives } = pointer;
  const [type, id] = [shown[typeField], shown[idField]];
  if (type === undefined) return;
  const both = (value: Json): Dict => ({ [typeField]: type, [idField]: value });
  if (type === null || id === null || id === undefined) Object.assign(mapped.first, both(id ?? null));
  // A record of what happened keeps naming objects that were deleted.
  else if (outlives && !known.comes(String(type))) Object.assign(mapped.first, both(id));
  else {
    const { value, later: waits, lost } = pointedAt(model.name, String(type), id, known);
    if (value === undefined) lose(mapped, typeField, lost!.join(), !optional);
    else Object.assign(waits && !outlives ? later : mapped.first, both(value));
  }
}

/** Values of custom fields; references among them may have to wait. */
function customFields(model: Model, value: Json, known: Known, first: Dict, later: Dict): void {
  if (!isDict(value)) return;
  const [now, then]: [Dict, Dict] = [{}, {}];
  for (const [name, one] of Object.entries(value)) {
    const reference = known.customReference(name);
    if (!reference || saysNothing(one)) {
      now[name] = isDict(one) && 'value' in one && 'label' in one && !reference ? (one['value'] ?? null) : one;
      continue;
    }
    const ids = (Array.isArray(one) ? one : [one]).map((each) => known.idOf(reference.to, idIn(each) ?? 0));
    (known.precedes(reference.to, model.name) ? now : then)[name] = reference.many ? ids : ids[0]!;
  }
  first['custom_fields'] = now;
  if (Object.keys(then).length) later['custom_fields'] = then;
}

/** What an object says that has no place here. */
const lackingIn = (model: Model, shown: Dict): Loss[] =>
  Object.entries(shown).flatMap(([field, value]) =>
    model.fields[field] || OF_THE_SOURCE.has(field) || COUNT.test(field) || saysNothing(value)
      ? []
      : [{ field, why: 'is not known here' }],
  );
