import type { Model } from '@cadastre/model';
import { Refusal } from '../../core/errors.ts';
import type { Draft } from '../context/draft.ts';
import { refuseErrors } from '../parse/items.ts';
import { addIfTaken } from './unique.ts';

/** Runs a storing statement; what PostgreSQL refuses as a duplicate becomes messages of the fields. */
export async function withFieldErrors<T>(
  model: Model,
  drafts: Draft[],
  single: boolean,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (addIfTaken(model, error, drafts))
      refuseErrors(
        drafts.map((d) => d.item),
        single,
      );
    const { code } = error as { code?: string };
    if (code === '22001' || code === '22003' || code === '23514' || code === '23502')
      throw new Refusal(400, { detail: 'A value is outside the limits of its field.' });
    throw error;
  }
}
