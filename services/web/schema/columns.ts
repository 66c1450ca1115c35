import type { Model } from '@cadastre/model';
import { pagesOf } from './addresses.ts';
import { oncePer } from '../ui/memoize.ts';
import { isCount, isLong, type Named, pairsOf, shownFields, writtenFields } from './members.ts';

/** How many columns a list has by default. */
const USUAL = 7;

/** Columns that are rarely useful in a table, and so are shown only on request. */
const SELDOM = new Set([
  'slug',
  'owner',
  'custom_fields',
  'created',
  'last_updated',
  'latitude',
  'longitude',
  'time_zone',
  'tags',
  'description',
]);
const SELDOM_KINDS = new Set([
  'json',
  'image',
  'owned',
  'sealed',
  'sealedTexts',
  'onceShown',
  'related',
  'uuid',
  'list',
  'url',
]);

/** The column that identifies an object in a list, and links to it. */
export const titleColumn = oncePer(
  (model: Model): string =>
    pagesOf(model).title ??
    shownFields(model).find(
      ([name]) => name === model.display.columns[0] && model.display.columns.length === 1 && !model.display.related,
    )?.[0] ??
    'display',
);

/** Prefix of the columns for custom fields. */
export const CUSTOM = 'cf_';

/** All columns that a list of a model can have. */
export const allColumns = oncePer((model: Model): readonly string[] => [
  ...new Set([
    titleColumn(model),
    'id',
    ...shownFields(model)
      .filter((one) => !isLong(one) || pagesOf(model).columns?.includes(one[0]))
      .map(([name]) => name),
  ]),
]);

/** The default columns of a list. */
export const usualColumns = oncePer((model: Model): readonly string[] => {
  const title = titleColumn(model);
  const declared = pagesOf(model).columns;
  if (declared) return [title, ...declared.filter((name) => name !== title)];
  const pairs = pairsOf(model);
  const telling = ([name, field]: Named): boolean =>
    name !== title &&
    !(title === 'display' && model.display.columns.includes(name)) &&
    !SELDOM.has(name) &&
    !pairs.has(name) &&
    !SELDOM_KINDS.has(field.kind) &&
    !isLong([name, field]);
  const fields = shownFields(model).filter(telling);
  const own = fields.filter((one) => !isCount(one));
  const counts = fields.filter(isCount);
  const last = 'description' in model.fields ? ['description'] : [];
  const names = [...own, ...counts].map(([name]) => name).slice(0, USUAL - 1 - last.length);
  return [title, ...names, ...last];
});

/** The field that names an object in a list, if it is a text that users can write. */
export function renamedField(model: Model): string | undefined {
  const texts = new Set(
    writtenFields(model).flatMap(([name, { kind, column }]) =>
      kind === 'text' && /^varchar/.test(column?.type ?? '') ? [name] : [],
    ),
  );
  return ['name', titleColumn(model)].find((name) => texts.has(name));
}
