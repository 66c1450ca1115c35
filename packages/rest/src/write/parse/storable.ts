import type { Json } from '@cadastre/model';

const INTEGERS: Record<string, number> = { smallint: 2 ** 15, integer: 2 ** 31, bigint: Number.MAX_SAFE_INTEGER };

/** Whether a column of a type can hold a value as it is, whatever other rules the field has. */
export function isStorable(type: string, value: Json): boolean {
  if (type.endsWith('[]')) return Array.isArray(value) && value.every((one) => isStorable(type.slice(0, -2), one));
  const [, name = '', size] = /^(\w+)(?:\((\d+)[^)]*\))?$/.exec(type) ?? [];
  const most = INTEGERS[name];
  if (most !== undefined) return typeof value === 'number' && Number.isInteger(value) && value < most && value >= -most;
  if (name === 'text' || name === 'varchar')
    return (
      typeof value === 'string' &&
      !value.includes('\u0000') &&
      (size === undefined || [...value].length <= Number(size))
    );
  if (name === 'boolean') return typeof value === 'boolean';
  return name === 'jsonb';
}
