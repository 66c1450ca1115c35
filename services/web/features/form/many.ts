import type { Json } from '@cadastre/model';
import type { Widget } from '../../schema/widget.ts';
import type { Body } from './schema/formSchema.ts';
import { expanded, isRange } from './ranges.ts';
import { slugOf } from './fields/slug.ts';

/** Above this number, the user has to confirm. */
export const ASKED_FROM = 100;
/** The most that are created at once. */
export const MOST = 1000;

export type Many = { bodies: Body[] } | { problems: Record<string, string> };

export interface ManyTexts {
  tooMany: string;
  /** Is given the number of values of this field, and of the first field. */
  unlike(count: number, wanted: number): string;
}

/**
 * The objects that a form with ranges stands for: the first text determines their number, and each other text has as
 * many values or no range. Undefined if the first text has no range.
 *
 * @param naming the texts that may have ranges; the others are examined only if the first one has a range
 * @param made fields that are derived from others, such as slugs
 */
export function manyOf(
  body: Body,
  naming: readonly Widget[],
  made: readonly Widget[],
  texts: ManyTexts,
): Many | undefined {
  const ranged = naming.filter(({ name }) => typeof body[name] === 'string' && isRange(body[name]));
  const [first] = ranged;
  if (!first || first !== naming[0]) return undefined;
  const problems: Record<string, string> = {};
  const lists = ranged.map(({ name }) => [name, expanded(body[name] as string)] as const);
  const count = lists[0]![1]?.length ?? 0;
  for (const [name, list] of lists)
    if (!list || list.length > MOST) problems[name] = texts.tooMany;
    else if (list.length !== count) problems[name] = texts.unlike(list.length, count);
  if (Object.keys(problems).length) return { problems };
  return {
    bodies: Array.from({ length: count }, (_, i) => ({
      ...body,
      ...Object.fromEntries(lists.map(([name, list]): [string, Json] => [name, list![i]!])),
      ...slugs(body, first, lists[0]![1]![i]!, made),
    })),
  };
}

/** A field that is derived from the name, and was not changed by hand, is derived from each name. */
const slugs = (body: Body, naming: Widget, name: string, made: readonly Widget[]): Body =>
  Object.fromEntries(
    made
      .filter(({ name: slug, from, max }) => from === naming.name && body[slug] === slugOf(String(body[from]), max))
      .map(({ name: slug, max }) => [slug, slugOf(name, max)]),
  );

/** The texts of a form that may have ranges; the one that names the object comes first. */
export function namingOf(widgets: readonly Widget[], called: readonly string[]): Widget[] {
  const texts = widgets.filter(({ kind, max, check, from }) => kind === 'text' && max && !check && !from);
  const first = texts.find(({ name }) => called.includes(name)) ?? texts.find(({ name }) => name === 'name');
  return first ? [first, ...texts.filter((one) => one !== first)] : [];
}
