import { type Catalogue, type Dict, isDict, type Model } from '@cadastre/model';
import type { Ids } from './ids.ts';
import { tellsRows } from './sent.ts';
import type { Known } from './values.ts';
import type { Order } from './order.ts';
import type { Collection, Source } from '../sources/source.ts';

/** The type that defines custom fields: the meaning of their values is in data, not in declarations. */
const CUSTOM_FIELDS = 'extras.customfield';

interface Sides {
  catalogue: Catalogue;
  /** What is imported. */
  models: readonly Model[];
  collections: ReadonlyMap<string, Collection>;
  source: Source;
  order: Pick<Order, 'precedes'>;
  ids: Pick<Ids, 'of'>;
}

/** What the mapping has to know of both sides. @throws whatever the source throws */
export async function knownTo({ catalogue, models, collections, source, order, ids }: Sides): Promise<Known> {
  const coming = new Map(models.map((model) => [model.name, model]));
  const references = new Map<string, { to: string; many: boolean }>();
  const definitions = collections.get(CUSTOM_FIELDS);
  if (definitions)
    for await (const shown of source.read(definitions)) {
      const to = shown['related_object_type'];
      if (typeof to === 'string')
        references.set(String(shown['name']), { to, many: kindOf(shown).startsWith('multi') });
    }
  return {
    idOf: ids.of,
    precedes: order.precedes,
    comes: (type) => coming.has(type),
    names: (type) => catalogue.knows(type),
    rowsOf: (model, field) =>
      tellsRows(model, field, models) &&
      !(coming.has(field.owned!.from.name) && collections.has(field.owned!.from.name)),
    customReference: (name) => references.get(name),
  };
}

const kindOf = ({ type }: Dict): string => String(isDict(type) ? type['value'] : type);
