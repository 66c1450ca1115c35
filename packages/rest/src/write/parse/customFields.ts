import { booleanOf, customValueProblem, type Dict, integerOf, isDict, type Json } from '@cadastre/model';
import type { CustomField } from '../../cache/customFieldDefinitions.ts';
import type { ImportRun } from '../context/importRun.ts';
import type { Item } from '../context/item.ts';

/**
 * The custom field values of an object after a write: what was there, with what was given, checked. Messages go into
 * the item.
 */
export function mergeCustomFields(
  fields: readonly CustomField[],
  item: Item,
  before: Dict | null,
  importing?: ImportRun,
): Dict | undefined {
  const given = item.customFields;
  if (given) {
    const unknown = Object.keys(given).filter((name) => !fields.some((f) => f.name === name));
    if (unknown.length) {
      item.errors['custom_fields'] = Object.fromEntries(
        unknown.map((name) => [name, `Custom field '${name}' does not exist for this object type.`]),
      );
      if (!importing) return undefined;
      // The fields themselves may come with the same import.
      if (!importing.dryRun) importing.note(item, item.errors);
      item.errors = {};
    }
  }
  const merged: Dict = { ...before };
  const problems: string[] = [];
  for (const field of fields) {
    const isGiven = given !== undefined && Object.hasOwn(given, field.name);
    const value = isGiven
      ? given[field.name]!
      : Object.hasOwn(merged, field.name)
        ? merged[field.name]!
        : before
          ? null
          : field.default;
    if (!isGiven && before && !field.required) {
      if (!Object.hasOwn(merged, field.name)) merged[field.name] = null;
      continue;
    }
    if (value === null || value === '') {
      if (field.required) problems.push(`Missing required custom field '${field.name}'.`);
      merged[field.name] = null;
      continue;
    }
    const stored = storedForm(field, value);
    const problem = customValueProblem(field, stored);
    if (problem) problems.push(`Invalid value for custom field '${field.name}': ${problem}`);
    if (!problem || importing) merged[field.name] = stored;
  }
  if (problems.length && importing) importing.note(item, { custom_fields: problems });
  else if (problems.length)
    item.errors['__all__'] = [...((item.errors['__all__'] as string[] | undefined) ?? []), ...problems];
  return problems.length && !importing ? undefined : merged;
}

/**
 * What is stored of a value: objects may be given as dictionaries that hold an id, the way they are read; numbers as
 * text.
 */
function storedForm(field: CustomField, value: Json): Json {
  if (field.type === 'object') return idOf(value);
  if (field.type === 'multiobject') return Array.isArray(value) ? value.map(idOf) : value;
  if (field.type === 'integer' && typeof value === 'string') return integerOf(value) ?? value;
  if (field.type === 'decimal' && typeof value === 'string' && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(value))
    return Number(value);
  if (field.type === 'boolean') return booleanOf(value) ?? value;
  return value;
}

const idOf = (value: Json): Json => (isDict(value) && 'id' in value ? (value['id'] ?? null) : value);
