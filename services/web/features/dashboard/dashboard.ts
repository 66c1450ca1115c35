import type { Json } from '@cadastre/model';
import type { HomeWidget } from '@cadastre/pages';

type Dict = { [name: string]: Json };

/** One widget of the home page. */
export interface Widget {
  id: string;
  /** What it shows: one of `KINDS`, or a kind that another client has added. */
  kind: string;
  title: string;
  /** In columns, of which there are twelve. */
  width: number;
  /** Its own settings. */
  config: Dict;
  /** Other members of its entries, which are kept unchanged. */
  rest: { place: Dict; entry: Dict };
}

/** The dashboard as the API keeps it: positions in a grid of twelve columns, and the widgets by id. */
export interface Dashboard {
  layout: Json;
  config: Json;
}

/**
 * The kinds of widgets, by the names that the dashboard stores. Users of the reference may have stored some already.
 */
export const KINDS = {
  counts: 'extras.ObjectCountsWidget',
  list: 'extras.ObjectListWidget',
  bookmarks: 'extras.BookmarksWidget',
  note: 'extras.NoteWidget',
  changes: 'cadastre.Changes',
  notifications: 'cadastre.Notifications',
} as const;
export type Kind = keyof typeof KINDS;
export const kindOf = ({ kind }: Pick<Widget, 'kind'>): Kind | undefined =>
  (Object.keys(KINDS) as Kind[]).find((name) => KINDS[name] === kind);

const WIDTHS = [4, 6, 8, 12];

const isDict = (value: Json | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The default widgets, for users who have not arranged their home page. */
const USUAL: readonly (readonly [Kind, number])[] = [
  ['counts', 12],
  ['changes', 8],
  ['bookmarks', 4],
  ['notifications', 6],
];
/** The default widgets, with those that services add. */
export const usual = (more: readonly HomeWidget[]): Widget[] => [
  ...USUAL.map(([name, width]) => fresh(KINDS[name], width, {}, `usual-${name}`)),
  ...more.flatMap(({ name, kind, usual: width }) => (width ? [fresh(kind, width, {}, `usual-${name}`)] : [])),
];

export const fresh = (kind: string, width: number, { title = '', ...config }: Dict, id: string): Widget => ({
  id,
  kind,
  title: textOf(title),
  width,
  config,
  rest: { place: {}, entry: {} },
});

/** The widgets in reading order; the default ones where nothing is kept. */
export function widgetsIn({ layout, config }: Dashboard, more: readonly HomeWidget[]): Widget[] {
  if (!Array.isArray(layout) || !isDict(config)) return usual(more);
  return layout
    .filter(isDict)
    .toSorted((a, b) => numberOf(a['y'], 0) - numberOf(b['y'], 0) || numberOf(a['x'], 0) - numberOf(b['x'], 0))
    .flatMap((place): Widget[] => {
      const { id, w, ...restOfPlace } = place;
      const entry = config[String(id)];
      if (!isDict(entry)) return [];
      const { class: kind, title, config: own, ...rest } = entry;
      const width = Math.min(12, Math.max(1, numberOf(w, 6)));
      return [
        {
          id: String(id),
          kind: textOf(kind),
          title: textOf(title),
          width,
          config: isDict(own) ? own : {},
          rest: { place: restOfPlace, entry: rest },
        },
      ];
    });
}

/** Widgets as the API keeps them: in rows, each filled as long as there is room. */
export function dashboardOf(widgets: readonly Widget[]): { layout: Dict[]; config: Dict } {
  let [x, y] = [0, 0];
  const layout = widgets.map(({ id, width, rest }) => {
    if (x + width > 12) [x, y] = [0, y + 1];
    const place = { h: 3, ...rest.place, id, w: width, x, y };
    x += width;
    return place;
  });
  const config = Object.fromEntries(
    widgets.map(({ id, kind, title, config: own, rest }) => [
      id,
      { ...rest.entry, class: kind, title: title || null, config: own },
    ]),
  );
  return { layout, config };
}

/** What can be done to a widget. */
export type Change = 'earlier' | 'later' | 'wider' | 'narrower' | 'remove';
export const CHANGES: readonly Change[] = ['earlier', 'later', 'narrower', 'wider', 'remove'];

/**
 * Widgets in another order and with other widths, as `id:width id:width …`; widgets that are not named come last, as
 * they may have been added in the meantime.
 */
export function arranged(widgets: readonly Widget[], order: string): Widget[] {
  const wanted = order.split(' ').flatMap((one): [string, number][] => {
    const [, id, width] = /^(.+):(\d{1,2})$/.exec(one) ?? [];
    return id === undefined ? [] : [[id, Number(width)]];
  });
  const named = new Map(wanted);
  const moved = [...named].flatMap(([id, width]) => {
    const one = widgets.find((widget) => widget.id === id);
    return one ? [{ ...one, width: Math.min(12, Math.max(1, width)) }] : [];
  });
  return [...moved, ...widgets.filter(({ id }) => !named.has(id))];
}

export function changed(widgets: readonly Widget[], id: string, change: Change): Widget[] {
  const at = widgets.findIndex((one) => one.id === id);
  const one = widgets[at];
  if (!one) return [...widgets];
  const others = widgets.toSpliced(at, 1);
  if (change === 'remove') return others;
  if (change === 'earlier' || change === 'later')
    return others.toSpliced(Math.max(0, at + (change === 'later' ? 1 : -1)), 0, one);
  const width =
    change === 'wider'
      ? (WIDTHS.find((size) => size > one.width) ?? 12)
      : (WIDTHS.findLast((size) => size < one.width) ?? one.width);
  return others.toSpliced(at, 0, { ...one, width });
}
