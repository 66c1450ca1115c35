import type { Json } from '@cadastre/model';
import type { Widget } from '../../../schema/widget.ts';
import { cellName, rowsHeld } from '../fields/rows.ts';
import { textsOf } from '../fields/values.ts';

/** Prefix of the inputs that say whose version of a field to keep. */
const PICK = '_pick.';
export type Pick = 'theirs' | 'yours';

/** The version that the user has chosen for each field that both have changed. */
export const picksIn = (fields: URLSearchParams): ReadonlyMap<string, Pick> =>
  new Map(
    [...fields].flatMap(([name, value]): [string, Pick][] =>
      name.startsWith(PICK) ? [[name.slice(PICK.length), value === 'theirs' ? 'theirs' : 'yours']] : [],
    ),
  );

/** The submitted form, with the saved values in the fields for which the user has chosen them. */
export function withPicks(
  fields: URLSearchParams,
  widgets: readonly Widget[],
  object: { readonly [member: string]: Json },
): URLSearchParams {
  const theirs = new Set([...picksIn(fields)].flatMap(([name, pick]) => (pick === 'theirs' ? [name] : [])));
  if (!theirs.size) return fields;
  // A type and the id that belongs to it are chosen together.
  for (const { name, ofField } of widgets) if (ofField && theirs.has(name)) theirs.add(ofField);
  const chosen = new URLSearchParams(fields);
  for (const widget of widgets) if (theirs.has(widget.name)) put(chosen, widget, object[widget.name]);
  return chosen;
}

function put(fields: URLSearchParams, widget: Widget, value: Json | undefined): void {
  const { name, rows } = widget;
  for (const key of new Set(fields.keys())) if (key === name || key.startsWith(`${name}.`)) fields.delete(key);
  if (!rows) {
    for (const text of textsOf(widget, value)) fields.append(name, text);
    return;
  }
  rowsHeld(widget, value).forEach((row, at) => {
    for (const [column, texts] of Object.entries(row))
      for (const text of texts) fields.append(cellName(name, at, column), text);
  });
}
