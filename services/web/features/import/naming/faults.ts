import { type Catalogue, isDict, type Model } from '@cadastre/model';
import { spoken } from '../../../ui/texts/speaking.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import type { Draft, Named } from '../drafts/draft.ts';
import { calledBy } from '../columns/called.ts';
import { isSaid } from './order.ts';

/** The most objects that are listed where a name means several. */
const SHOWN = 5;

const saidOf = ({ text, known, id, attribute }: Named): string =>
  text ?? String(known?.['display'] ?? known?.['name'] ?? known?.[attribute ?? 'slug'] ?? id ?? JSON.stringify(known));

/** The places in which the object of a column is searched for, as far as the row names them. */
const placesIn = (draft: Draft, { column }: Named): string[] =>
  Object.values(column.naming!.among).filter((path) => isSaid(draft.said[path.split('.')[0]!]));

/** Reports that no object has a name. */
export function missing(draft: Draft, named: Named, model: Model | undefined, catalogue: Catalogue): void {
  const { texts } = spoken();
  const { column } = named;
  const text = saidOf(named);
  if (!model) {
    const { of, ofColumn } = column.naming!;
    const columns = of && typeof of === 'object' ? Object.keys(of) : [ofColumn ?? column.name];
    draft.problems[column.name] ??= texts('importNoType', { label: column.label, columns: columns.join(' / ') });
    return;
  }
  const places = placesIn(draft, named);
  const by = column.naming!.by ?? calledBy(model, catalogue) ?? 'id';
  const said = [
    places.length
      ? texts('importNoneWithin', {
          label: column.label,
          text,
          within: places.map((path) => `${path} ${String(shownIn(draft, path))}`).join(', '),
        })
      : texts('importNone', { label: column.label, text }),
    // The number may have been meant as an id.
    ...(/^\d+$/.test(text) && by !== 'id' && named.attribute === undefined
      ? [texts('importNoId', { what: by, column: `${column.name}.id` })]
      : []),
  ];
  draft.problems[column.name] ??= said.join(' ');
}

function shownIn(draft: Draft, path: string): string {
  const [column = '', member] = path.split('.');
  const object = draft.found[column]?.object;
  const place = member === undefined ? object : object?.[member];
  const said = draft.said[column];
  return isDict(place) && typeof place['display'] === 'string'
    ? place['display']
    : typeof said === 'string'
      ? said
      : '';
}

/** Reports the objects that a name may mean, and the columns that would decide between them. */
export function ambiguous(draft: Draft, named: Named, some: readonly Shown[]): void {
  const { column } = named;
  const { texts } = spoken();
  const { among } = column.naming!;
  const shown = some.slice(0, SHOWN).map((one) => `${placed(one, named)}${one.display} (id ${one.id})`);
  const columns = Object.values(among).filter((path) => !path.includes('.') && !isSaid(draft.said[path]));
  const ways = [...columns, column.pair ? column.pair.idField : `${column.name}.id`];
  draft.problems[column.name] ??= texts('importSeveral', {
    text: saidOf(named),
    label: column.label,
    some: [...shown, ...(some.length > SHOWN ? ['…'] : [])].join(', '),
    ways: ways.join(' / '),
  });
}

/** The place of an object, to distinguish it from the others: `hall / 3107`. */
function placed(one: Shown, { column }: Named): string {
  const names = new Set(
    [...Object.keys(column.naming!.among), ...Object.keys(column.naming!.rather)].map((filter) =>
      filter.replace(/_id$/, ''),
    ),
  );
  for (const name of [
    ...names,
    'site',
    'device',
    'virtual_machine',
    'group',
    'parent',
    'manufacturer',
    'provider',
    'vrf',
  ]) {
    const place = one[name];
    if (isDict(place) && typeof place['display'] === 'string') return `${place['display']} / `;
  }
  return '';
}
