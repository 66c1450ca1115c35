import type { Cell } from '@cadastre/model';
import type { IsHidden } from '../../visibility/visibility.ts';
import type { Need } from '../writer.ts';
import type { ReadContext } from './readContext.ts';

/** Which of the objects that the rows are about are hidden from the reader. Without a reader, none is. */
export async function hiddenAmong(
  { visibility }: ReadContext,
  needs: readonly Need[],
  rows: Cell[][],
): Promise<IsHidden> {
  const about = visibility && needs.find((need) => need.kind === 'about');
  if (!about) return () => false;
  return visibility(
    rows.flatMap((cells) => {
      const type = cells[about.typeAt];
      const id = cells[about.at];
      return type && id ? [{ type, id: Number(id) }] : [];
    }),
  );
}
