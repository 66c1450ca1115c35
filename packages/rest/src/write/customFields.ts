import type { Dict, Json } from '@cadastre/model';
import { booleanOf, integerOf, momentOf } from '@cadastre/model';
import type { CustomField } from '../query/customFields.ts';
import type { Item } from './parse.ts';

/** Checks values against schemas and regular expressions where that cannot hang or hurt; given by the service. */
export interface ValueChecks {
  matches(regex: string, value: string): boolean;
  schemaErrors(schema: Json, value: Json): string[];
}

/** The custom field values of an object after a write: what was there, with what was given, checked. Messages go into the item. */
export function mergeCustomFields(fields: readonly CustomField[], item: Item, before: Dict | null, checks: ValueChecks): Dict | undefined {
  const given = item.customFields;
  if (given) {
    const unknown = Object.keys(given).filter((name) => !fields.some((f) => f.name === name));
    if (unknown.length) {
      item.errors['custom_fields'] = Object.fromEntries(unknown.map((name) => [name, `Custom field '${name}' does not exist for this object type.`]));
      return undefined;
    }
  }
  const merged: Dict = { ...before };
  const problems: string[] = [];
  for (const field of fields) {
    const isGiven = given !== undefined && field.name in given;
    const value = isGiven ? given[field.name]! : field.name in merged ? merged[field.name]! : before ? null : field.default;
    if (!isGiven && before && !field.required) { if (!(field.name in merged)) merged[field.name] = null; continue; }
    if (value === null || value === '') {
      if (field.required) problems.push(`Missing required custom field '${field.name}'.`);
      merged[field.name] = null;
      continue;
    }
    const checked = checkValue(field, value, checks);
    if ('error' in checked) problems.push(`Invalid value for custom field '${field.name}': ${checked.error}`);
    else merged[field.name] = checked.value;
  }
  if (problems.length) item.errors['__all__'] = [...(item.errors['__all__'] as string[] | undefined ?? []), ...problems];
  return problems.length ? undefined : merged;
}

type Checked = { value: Json } | { error: string };

/** One value of a custom field in its stored form, or why it is none. Also says whether a default is valid. */
export function checkValue(field: CustomField, value: Json, checks: ValueChecks): Checked {
  switch (field.type) {
    case 'text': case 'longtext': return checkText(field, value, checks);
    case 'url': return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) ? checkText(field, value, checks) : { error: 'Enter a valid URL.' };
    case 'integer': return checkNumber(field, typeof value === 'number' || typeof value === 'string' ? integerOf(value) : undefined, 'Value must be an integer.');
    case 'decimal': return checkDecimal(field, value);
    case 'boolean': { const truth = booleanOf(value); return truth === undefined ? { error: 'Value must be true or false.' } : { value: truth }; }
    case 'date': return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && momentOf(value) ? { value } : { error: 'Date values must be in ISO 8601 format (YYYY-MM-DD).' };
    case 'datetime': { const moment = typeof value === 'string' ? momentOf(value) : undefined; return moment ? { value: value as string } : { error: 'Date and time values must be in ISO 8601 format (YYYY-MM-DD HH:MM:SS).' }; }
    case 'select': return choice(field, value) ?? { value };
    case 'multiselect': return checkChoices(field, value);
    case 'object': { const id = objectId(value); return id === undefined ? { error: `Value must be an object ID, not ${typeof value}` } : { value: id }; }
    case 'multiobject': return checkObjects(value);
    case 'json': { const errors = field.schema === null ? [] : checks.schemaErrors(field.schema, value); return errors.length ? { error: errors[0]! } : { value }; }
    default: return { value };
  }
}

function checkText(field: CustomField, value: Json, checks: ValueChecks): Checked {
  if (typeof value !== 'string') return { error: 'Value must be a string.' };
  return field.regex && !checks.matches(field.regex, value) ? { error: `Value must match regex '${field.regex}'` } : { value };
}

function checkNumber(field: CustomField, value: number | undefined, message: string): Checked {
  if (value === undefined) return { error: message };
  if (field.minimum !== null && value < field.minimum) return { error: `Value must be at least ${field.minimum.toFixed(4)}` };
  if (field.maximum !== null && value > field.maximum) return { error: `Value must not exceed ${field.maximum.toFixed(4)}` };
  return { value };
}

function checkDecimal(field: CustomField, value: Json): Checked {
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^\s*[-+]?\d+(\.\d*)?\s*$/.test(value) ? Number(value) : undefined;
  return checkNumber(field, number, 'Value must be a decimal.');
}

const choice = (field: CustomField, value: Json): { error: string } | undefined =>
  typeof value === 'string' && field.choiceSet?.values.has(value) ? undefined : { error: `Invalid choice (${String(value)}) for choice set ${field.choiceSet?.name ?? ''}.` };

function checkChoices(field: CustomField, value: Json): Checked {
  if (!Array.isArray(value)) return { error: 'Value must be a list.' };
  const wrong = value.filter((v) => choice(field, v));
  return wrong.length ? { error: `Invalid choice(s) (${wrong.map(String).join(', ')}) for choice set ${field.choiceSet?.name ?? ''}.` } : { value };
}

/** Objects may be given as ids or as dictionaries that hold one, the way they are read. */
function objectId(value: Json): number | undefined {
  const id = value !== null && typeof value === 'object' && !Array.isArray(value) ? value['id'] ?? null : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function checkObjects(value: Json): Checked {
  if (!Array.isArray(value)) return { error: `Value must be a list of object IDs, not ${typeof value}` };
  const ids = value.map(objectId);
  return ids.includes(undefined) ? { error: 'Found invalid object ID' } : { value: ids as number[] };
}
