import { type Catalogue, members, type Model } from '@cadastre/model';
import { writtenFields } from '../../../schema/members.ts';

/**
 * Columns of an export that cannot be imported: addresses, counts, derived values, and fields without a column here.
 */
export function passedColumns(model: Model, catalogue: Catalogue): ReadonlySet<string> {
  const written = new Set(writtenFields(model).map(([name]) => name));
  const special = Object.entries(model.fields).flatMap(([name, { special: kind }]) => (kind ? [name] : []));
  const shown = members(model, 'complete').filter((name) => !written.has(name) && !special.includes(name));
  const elsewhere = [...written].filter((name) => {
    const to = model.fields[name]?.relation?.to;
    return to !== undefined && !catalogue.has(to);
  });
  return new Set(['url', 'display_url', 'display', ...shown, ...elsewhere, ...(model.imports?.passed ?? [])]);
}
