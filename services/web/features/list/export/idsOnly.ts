import { type Catalogue, type Dict, isDict, type Json, type Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { calledBy } from '../../import/columns/called.ts';
import { askBy } from '../../import/naming/references.ts';
import { widgetsOf } from '../../../schema/widgets.ts';
import type { Shown } from '../../../context/pageRequest.ts';

/** A member of an object, or of its rows, that the API shows only as an id. */
interface IdOnly {
  rows: string | undefined;
  member: string;
  of: Model;
}

function idsIn(model: Model, catalogue: Catalogue): IdOnly[] {
  return widgetsOf(model, catalogue).flatMap((widget): IdOnly[] => {
    const to = catalogue.models.get(widget.of ?? '');
    if (to && widget.kind === 'picker' && model.fields[widget.name]?.relation?.form === 'id')
      return [{ rows: undefined, member: widget.name, of: to }];
    return (widget.rows?.columns ?? []).flatMap(({ name, kind, of }) => {
      const target = catalogue.models.get(of ?? '');
      return kind === 'picker' && target && name !== widget.rows!.helps
        ? [{ rows: widget.name, member: name, of: target }]
        : [];
    });
  });
}

/**
 * Objects for a file: where the API shows only an id, the name is added, as an id has no meaning in another system. One
 * request for every eighty objects of a type.
 */
export async function withNames(
  api: Api,
  catalogue: Catalogue,
  model: Model,
  objects: readonly Shown[],
): Promise<readonly Shown[]> {
  const members = idsIn(model, catalogue);
  if (!members.length) return objects;
  const named = new Map<string, Map<number, Shown>>();
  for (const of of new Set(members.map((one) => one.of))) {
    const ids = members
      .filter((one) => one.of === of)
      .flatMap((one) => objects.flatMap((object) => idsAt(object, one)));
    const attribute = calledBy(of, catalogue);
    const some = await askBy(api, of, 'id', [...new Set(ids)].map(String), attribute ? [attribute, 'device'] : []);
    named.set(of.name, new Map(some.map((one) => [one.id, one])));
  }
  return objects.map((object) => {
    const changed: Shown = { ...object };
    for (const { rows, member, of } of members) {
      const name = (dict: Dict): Dict => {
        const known = typeof dict[member] === 'number' ? named.get(of.name)!.get(dict[member]) : undefined;
        return known ? { ...dict, [member]: known } : dict;
      };
      if (rows === undefined) Object.assign(changed, name(changed));
      else if (Array.isArray(changed[rows]))
        changed[rows] = changed[rows].map((row): Json => (isDict(row) ? name(row) : row));
    }
    return changed;
  });
}

const idsAt = (object: Shown, { rows, member }: IdOnly): number[] => {
  const places: Json[] = rows === undefined ? [object] : Array.isArray(object[rows]) ? object[rows] : [];
  return places.flatMap((one) => (isDict(one) && typeof one[member] === 'number' ? [one[member]] : []));
};
