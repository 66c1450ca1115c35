import type { Visit } from '../../context/pageRequest.ts';
import type { Columns } from './columns/fileColumns.ts';
import type { Reader } from './reading/reader.ts';
import { begin, type State, type Wanted } from './steps/steps.ts';
import { uniqueFields } from './steps/unique.ts';
import type { FileOutcome } from './steps/outcome.ts';
import { isPicture, type Pictures, picturesIn } from './files/pictures.ts';
import type { Brought } from './files/zip.ts';

const TEXT = /\.(ya?ml|json|csv|tsv|txt)$/i;

/** How far several files are. */
export interface FilesSoFar {
  done: number;
  total: number;
  path: string;
}

/**
 * Imports files one after the other, each all or none, as if it had come alone; pictures beside them belong to the
 * objects that they are named after. Who has left is waited for by nobody: what follows stays.
 */
export async function importSeveral(
  visit: Visit,
  columns: Columns,
  files: readonly Brought[],
  reader: Pick<Reader, 'read'>,
  wanted: Wanted,
  told: (far: FilesSoFar) => void,
): Promise<FileOutcome[]> {
  const pictures = picturesIn(columns.model, files.filter(isPicture));
  const texts = files.filter((file) => TEXT.test(file.path));
  const outcomes: FileOutcome[] = [];
  for (const [done, file] of texts.entries()) {
    if (visit.gone.aborted) break;
    told({ done, total: texts.length, path: file.path });
    outcomes.push(await importOne(visit, columns, file, reader, { ...wanted, pictures }));
  }
  return [...outcomes, ...leftOver(visit, files, pictures)];
}

async function importOne(
  visit: Visit,
  columns: Columns,
  { path, bytes }: Brought,
  reader: Pick<Reader, 'read'>,
  wanted: Wanted,
): Promise<FileOutcome> {
  const { texts, user, gone, catalogue } = visit;
  const reading = { text: bytes, format: 'auto' as const, unique: uniqueFields(catalogue, columns.model) };
  const read = await reader.read(String(user.userId), reading, gone, () => undefined);
  const refused = (text: string): State => ({ problems: [{ line: 0, field: '', text }] });
  const state =
    'portions' in read && read.portions.length > 1
      ? refused(texts('importFileLong'))
      : await begin(visit, columns, read, wanted);
  const { problems = [], fine = false, said = '', made = [] } = state;
  const there = problems.length > 0 && problems.every((one) => one.there);
  return {
    path,
    came: fine ? (wanted.dry ? 'would' : 'fine') : there ? 'there' : 'refused',
    said: fine ? said : '',
    made,
    problems,
  };
}

/** Files that no object has asked for. */
function leftOver({ texts }: Visit, files: readonly Brought[], pictures: Pictures): FileOutcome[] {
  const left = new Set(pictures.left());
  return files.flatMap((file): FileOutcome[] => {
    if (TEXT.test(file.path) || (isPicture(file) && !left.has(file))) return [];
    const said = texts(isPicture(file) ? 'importPictureAlone' : 'importFileNothing');
    return [{ path: file.path, came: 'passed', said, made: [], problems: [] }];
  });
}

/** What several files came to, as a page says it. */
export function filesState({ texts }: Visit, outcomes: readonly FileOutcome[], dry: boolean): State {
  const count = (...kinds: readonly FileOutcome['came'][]): number =>
    outcomes.filter(({ came }) => kinds.includes(came)).length;
  const said = { fine: count('fine', 'would'), there: count('there'), refused: count('refused') };
  const total = said.fine + said.there + said.refused;
  return {
    outcomes,
    said: texts(dry ? 'importFilesWould' : 'importFilesDone', { total, ...said }),
    fine: said.refused === 0 && total > 0,
    status: said.refused || !total ? 400 : 200,
    text: '',
  };
}
