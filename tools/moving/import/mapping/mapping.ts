import { type Dict, isDict, type Json, type Model } from '@cadastre/model';
import { asToday } from './older.ts';
import { type Pointer, pointersOf, sentFields } from './sent.ts';
import { idIn, type Known, pointedAt, saysNothing, turned } from './values.ts';

/** A value that cannot be imported. */
interface Loss {
  field: string;
  why: string;
}

/** An object as the target takes it. */
export interface Mapped {
  /** Its id at the source. */
  id: number;
  /** Its display name, for reports. */
  display: string;
  /** What is sent at the first visit. */
  first: Dict;
  /** What is sent once all objects exist: references to objects that are stored later. */
  second?: Dict;
  lost: Loss[];
  /** Why it cannot be imported at all. */
  missing?: string;
  /** In trees: its parent, by the parent's id at the target. */
  parent?: number;
}

/** Members that the target makes itself, or does not need. */
const OF_THE_SOURCE = new Set(['id', 'url', 'display_url', 'display']);
/** Counts, which NetBox always names like this. */
const COUNT = /(_count|^count_.*|_items)$/;
const CHANGED = 'last_updated';

/** Turns the representations of a type, as the API of the source shows them, into what the target accepts. */
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

/** What an object refers to, of any type. */
function point(model: Model, pointer: Pointer, shown: Dict, known: Known, mapped: Mapped, later: Dict): void {
  const { typeField, idField, optional, outlives } = pointer;
  const [type, id] = [shown[typeField], shown[idField]];
  if (type === undefined) return;
  const both = (value: Json): Dict => ({ [typeField]: type, [idField]: value });
  if (type === null || id === null || id === undefined) Object.assign(mapped.first, both(id ?? null));
  // A record of a past event keeps the names of objects that were deleted.
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

/** Members of an object that have no counterpart here. */
const lackingIn = (model: Model, shown: Dict): Loss[] =>
  Object.entries(shown).flatMap(([field, value]) =>
    model.fields[field] || OF_THE_SOURCE.has(field) || COUNT.test(field) || saysNothing(value)
      ? []
      : [{ field, why: 'is not known here' }],
  );
