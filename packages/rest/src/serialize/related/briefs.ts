import type { Named } from '../../core/named.ts';
import type { ReadContext } from './readContext.ts';
import { loadRelated } from './related.ts';

/**
 * JSON texts of objects of any types in their brief form, for answers that are put together by hand; undefined for what
 * is not there.
 */
export async function briefsOf(
  readContext: ReadContext,
  objects: Iterable<Named>,
  base: string,
): Promise<(object: Named) => string | undefined> {
  const rows = [...objects].map(({ type, id }) => [type, String(id)]);
  const [first] = readContext.tables.catalogue.models.values();
  const writer = {
    members: [],
    columns: [],
    needs: [{ kind: 'generic', form: 'brief', typeAt: 0, at: 1, about: false } as const],
    print: () => '',
  };
  const related = (await loadRelated(readContext, first!, writer, rows))(base);
  return ({ type, id }) => {
    const text = related.brief(type, 'brief', String(id));
    return text === 'null' ? undefined : text;
  };
}
