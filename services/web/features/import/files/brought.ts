import type { SubmittedForm } from '../../../context/pageRequest.ts';
import { BadZip, type Brought, type FileLimits, isZip, unzipped } from './zip.ts';

/** Form fields that may have several files, or a folder. */
const FIELDS = ['file', 'folder'];

/** All files that were chosen. */
export const chosen = ({ uploads }: Pick<SubmittedForm, 'uploads'>): Brought[] =>
  uploads.flatMap(({ field, name, bytes }) => (FIELDS.includes(field) ? [{ path: name, bytes }] : []));

/** Whether the files are imported one by one: if there are several, or an archive. */
export const areSeveral = (files: readonly Brought[]): boolean =>
  files.length > 1 || files.some(({ bytes }) => isZip(bytes));

/** The files, with archives replaced by the files in them, in the order of their names. @throws BadZip */
export async function brought(files: readonly Brought[], limits: FileLimits, gone: AbortSignal): Promise<Brought[]> {
  const all: Brought[] = [];
  let bytes = 0;
  for (const file of files) {
    const room = { ...limits, files: limits.files - all.length, bytes: limits.bytes - bytes };
    const some = isZip(file.bytes) ? await unzipped(file.bytes, room, gone).catch(ofAll(limits)) : [file];
    bytes += some.reduce((sum, one) => sum + one.bytes.length, 0);
    all.push(...some);
    if (all.length > limits.files) throw new BadZip('importFiles', { count: limits.files });
    if (bytes > limits.bytes) throw new BadZip('importFilesSize', { count: limits.bytes });
  }
  return all.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** A refusal names the limit for all files together, not the remainder that was left for this archive. */
const ofAll =
  (limits: FileLimits) =>
  (error: unknown): never => {
    if (error instanceof BadZip && error.text === 'importFiles') throw new BadZip(error.text, { count: limits.files });
    if (error instanceof BadZip && error.text === 'importFilesSize')
      throw new BadZip(error.text, { count: limits.bytes });
    throw error;
  };
