import { hasFetched } from '../../peers/fetched.ts';
import { embedders } from '../../cache/embedders.ts';
import type { ReadContext } from './readContext.ts';

/**
 * Which objects of a type may look different since the transaction has written: those that it has stored, and any that
 * may show or count such objects.
 */
export function changedInTransaction(readContext: ReadContext, type: string): boolean | ((id: string) => boolean) {
  const own = readContext.written?.stored.get(type);
  return showsWritten(readContext, type) || (own ? (id) => own.has(id) : false);
}

/** Whether objects of a type may show something that the transaction has stored of others, or how many there are. */
function showsWritten({ written, tables }: ReadContext, type: string): boolean {
  const shownBy = embedders(tables.catalogue);
  return [...(written?.stored.keys() ?? [])].some((stored) => shownBy.get(stored)?.has(type));
}

/** Whether nothing that a writing transaction has stored shows in what it reads of a type, not even as a number. */
export function isUnchangedInTransaction(readContext: ReadContext, type: string): boolean {
  const { written, executor } = readContext;
  return !!written && !hasFetched(executor) && !written.stored.has(type) && !showsWritten(readContext, type);
}
