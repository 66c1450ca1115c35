import type { Shown, PageRequest } from '../../context/pageRequest.ts';
import type { Columns } from './columns/fileColumns.ts';
import type { Reader } from './reading/reader.ts';
import { begin, type State, step, type Wanted } from './steps/steps.ts';
import { uniqueFields } from './steps/unique.ts';
import { type FileOutcome, MOST_MADE } from './steps/outcome.ts';
import { isPicture, type Pictures, picturesIn } from './files/pictures.ts';
import type { Brought } from './files/zip.ts';

const TEXT = /\.(ya?ml|json|csv|tsv|txt)$/i;

/** The progress of an import of several files. */
export interface FilesSoFar {
  done: number;
  total: number;
  path: string;
}

/**
 * Imports files one after the other, each as if it had been uploaded alone, all or nothing: a long one in portions, all
 * of which are checked before the first one is written. Pictures belong to the objects that they are named after. The
 * work stops when the client disconnects.
 */
export async function importSeveral(
  request: PageRequest,
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
    if (request.gone.aborted) break;
    told({ done, total: texts.length, path: file.path });
    outcomes.push(await importOne(request, columns, file, reader, { ...wanted, pictures }));
  }
  return [...outcomes, ...leftOver(request, files, pictures)];
}

async function importOne(
  request: PageRequest,
  columns: Columns,
  { path, bytes }: Brought,
  reader: Pick<Reader, 'read'>,
  wanted: Wanted,
): Promise<FileOutcome> {
  const { user, gone, catalogue } = request;
  const reading = { text: bytes, format: 'auto' as const, unique: uniqueFields(catalogue, columns.model) };
  const read = await reader.read(String(user.userId), reading, gone, () => undefined);
  let state = await begin(request, columns, read, wanted);
  const made: Shown[] = [];
  let [count, begun] = [0, false];
  const keep = ({ made: some = [] }: State): void => {
    made.push(...some.slice(0, MOST_MADE - made.length));
    count += some.length;
  };
  keep(state);
  for (let { progress, portions = [] } = state; progress; { progress, portions = [] } = state) {
    if (gone.aborted) break;
    begun = progress.stage === 'write' && progress.at > 0;
    state = await step(request, columns, progress, portions, { ...wanted, rest: false });
    keep(state);
  }
  const { problems = [], fine = false, said = '' } = state;
  const there = !begun && problems.length > 0 && problems.every((one) => one.there);
  const came = fine ? (wanted.dry ? 'would' : 'fine') : begun ? 'partly' : there ? 'there' : 'refused';
  return { path, came, said: fine || begun ? said : '', made, madeMore: count - made.length, problems };
}

/** Pictures that belong to no object, and files that cannot be imported. */
function leftOver({ texts }: PageRequest, files: readonly Brought[], pictures: Pictures): FileOutcome[] {
  const left = new Set(pictures.left());
  return files.flatMap((file): FileOutcome[] => {
    if (TEXT.test(file.path) || (isPicture(file) && !left.has(file))) return [];
    const said = texts(isPicture(file) ? 'importPictureAlone' : 'importFileNothing');
    return [{ path: file.path, came: 'passed', said, made: [], madeMore: 0, problems: [] }];
  });
}

/** The result of an import of several files, for the page. */
export function filesState({ texts }: PageRequest, outcomes: readonly FileOutcome[], dry: boolean): State {
  const count = (...kinds: readonly FileOutcome['came'][]): number =>
    outcomes.filter(({ came }) => kinds.includes(came)).length;
  const said = { fine: count('fine', 'would'), there: count('there'), refused: count('refused', 'partly') };
  const total = said.fine + said.there + said.refused;
  return {
    outcomes,
    said: texts(dry ? 'importFilesWould' : 'importFilesDone', { total, ...said }),
    fine: said.refused === 0 && total > 0,
    status: said.refused || !total ? 400 : 200,
    text: '',
  };
}
