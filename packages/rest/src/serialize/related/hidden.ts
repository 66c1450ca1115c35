import type { Cell } from '@cadastre/model';
import type { IsHidden } from '../../visibility/visibility.ts';
import type { Need } from '../writer.ts';
import type { ReadContext } from './readContext.ts';

/** What is hidden of what the rows are about. Without a reader nothing is. */
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
