import type { Json } from '../types/json.ts';

/** JSON as Python writes it: the reference's messages quote values that way. */
export function pythonText(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([k, v]) => `${quoted(k)}: ${pythonText(v)}`)
      .join(', ')}}`;
  return String(value);
}

const quoted = (text: string): string => {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return (
    mark +
    text
      .replaceAll('\\', '\\\\')
      .replaceAll(mark, `\\${mark}`)
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
      .replaceAll('\t', '\\t') +
    mark
  );
};
