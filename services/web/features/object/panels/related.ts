import { type Model, webPath } from '@cadastre/model';
import { fieldLabel, pluralLabel } from '../../../schema/labels.ts';
import { countFields } from '../../../schema/members.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { countOf, referringTo } from '../../../context/referring.ts';

export interface Related {
  label: string;
  count: number;
  href: string | undefined;
}

/**
 * The objects that refer to an object without being parts of it: a count for each model, and the address of their list.
 */
export async function relatedTo(request: PageRequest, model: Model, object: Shown): Promise<Related[]> {
  const all = referringTo(request.catalogue, model.name);
  const found = await Promise.all(
    all
      .filter(({ child, page }) => !child && page)
      .map(async (one): Promise<Related[]> => {
        const count = await countOf(request, model, object, one);
        const query = one.query(object.id);
        return count ? [{ label: one.label, count, href: query && `${one.page}?${query}` }] : [];
      }),
  );
  return [...found.flat(), ...countedOnly(request, model, object)].sort((a, b) => a.label.localeCompare(b.label));
}

/** Counts that an object has itself, of objects that do not refer to it directly. */
function countedOnly({ catalogue }: PageRequest, model: Model, object: Shown): Related[] {
  const all = referringTo(catalogue, model.name);
  const direct = new Set(all.map(({ model: from, field }) => `${from.name} ${field}`));
  const parts = new Set(all.flatMap(({ model: from, child }) => (child ? [from.name] : [])));
  return countFields(model).flatMap(([name, { reverse }]) => {
    const count = Number(object[name] ?? 0);
    if (!reverse || !count || parts.has(reverse.from) || direct.has(`${reverse.from} ${reverse.field}`)) return [];
    const from = catalogue.models.get(reverse.from);
    const page = from && webPath(from);
    const filter = `${reverse.field.replace(/^_/, '')}_id`;
    const leads = from && page && filter in catalogue.filtersOf(from);
    return [
      {
        label: from ? pluralLabel(from) : fieldLabel(name),
        count,
        href: leads ? `${page}?${filter}=${object.id}` : undefined,
      },
    ];
  });
}
