import type { Dict, Documents, Model } from '@cadastre/model';
import { ZipFile } from 'yazl';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import { documentsOf, documentText } from './documents.ts';

/** How many documents are added before other requests get their turn. */
const AT_ONCE = 50;

/** Characters that file names cannot have on some systems, and leading dots, which hide a file. */
const UNFIT = /[\\/:*?"<>|\p{Cc}]|^\.+|[. ]+$/gu;

const fit = (text: unknown): string => String(text ?? '').replaceAll(UNFIT, '-') || '-';

/** The naming of the public library: `device-types/Cisco/cisco-c9300.yaml`. */
export function pathOf({ path }: Pick<Model, 'path'>, { file: [folder, name] }: Documents, document: Dict): string {
  return `${path}/${fit(document[folder])}/${fit(document[name])}`;
}

/** Objects as an archive with a document for each, written as they are read. */
export async function* archiveOf(
  request: Pick<PageRequest, 'api' | 'catalogue'>,
  model: Model,
  pages: AsyncIterable<readonly Shown[]>,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const written: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    zip.outputStream.on('data', (piece: Uint8Array) => written.push(piece));
    zip.outputStream.on('end', resolve);
    zip.on('error', reject);
  });
  // The promise is awaited only at the end; until then, this handler prevents an unhandled rejection.
  ended.catch(() => undefined);
  const taken = new Set<string>();
  for await (const page of pages)
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const some = page.slice(at, at + AT_ONCE);
      for (const [i, document] of (await documentsOf(request, model, some)).entries()) {
        const path = pathOf(model, model.documents!, document);
        // On case-insensitive file systems, two names that differ only in case are the same file.
        const free = taken.has(path.toLowerCase()) ? `${path}-${some[i]!.id}` : path;
        taken.add(free.toLowerCase());
        zip.addBuffer(Buffer.from(documentText(document)), `${free}.yaml`);
      }
      yield* written.splice(0);
    }
  zip.end();
  await ended;
  yield* written.splice(0);
}
