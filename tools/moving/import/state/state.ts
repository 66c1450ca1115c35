import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Spool, spoolAt } from './spool.ts';
import { newTally, type Tally } from './tally.ts';

/** An object that waits to be sent for the first time, or, after that, for the second. */
export interface Waiting {
  /** Its id at the source, and at the target. */
  id: number;
  becomes: number;
  display: string;
  /** JSON of what is sent at the first visit. */
  first: string;
  /** JSON of what is sent once all objects exist. */
  second?: string;
  /** In a tree: its parent, by the parent's id at the target. */
  above?: number;
  /** Why it was refused the last time. */
  why?: string;
  /** The outcome of the first visit. */
  outcome?: 'created' | 'updated' | 'unchanged';
}

/** The progress of a type; it is safe to repeat any of it. */
interface Progress {
  /** The highest id up to which all objects were read and answered. */
  after: number;
  /** All objects have been sent once. */
  read: boolean;
  tally: Tally;
}

/** The state of the import of a type, in files. */
export interface TypeState {
  progress: Progress;
  save(): void;
  /** Objects that were refused or are not ready yet. */
  held: Spool<Waiting>;
  /** Objects to be sent a second time. */
  later: Spool<Waiting>;
  /** The ids of the source's objects at the target. */
  seen(ids: readonly number[]): void;
  ids(): AsyncIterable<number>;
}

/** The folder in which an import keeps its progress, so that it can continue after it was interrupted. */
export interface State {
  readonly folder: string;
  /** Whether this continues an import that was begun earlier. */
  readonly resumed: boolean;
  /** How many objects the source had of each type when the import began: the order of types follows from it. */
  readonly counts: Readonly<Record<string, number>>;
  type(name: string): TypeState;
  /** The import is complete: the next one starts over. Maps of ids stay. */
  finish(): void;
}

interface Run {
  from: string;
  to: string;
  counts: Record<string, number>;
}

/**
 * @throws Error when the folder holds an unfinished import between two other installations
 */
export function stateIn(folder: string, from: string, to: string, counts: Record<string, number>): State {
  // A subfolder, as the given folder may contain anything.
  const own = join(folder, 'unfinished');
  const run = join(own, 'run.json');
  const earlier = existsSync(run) ? (JSON.parse(readFileSync(run, 'utf8')) as Run) : undefined;
  if (earlier && (earlier.from !== from || earlier.to !== to))
    throw new Error(
      `${folder} holds an import from ${earlier.from} to ${earlier.to} that is not over. Finish it, or give another folder with --state.`,
    );
  if (!earlier) {
    rmSync(own, { recursive: true, force: true });
    // Password hashes may be kept there.
    mkdirSync(own, { recursive: true, mode: 0o700 });
    write(run, { from, to, counts });
  }
  return {
    folder,
    resumed: earlier !== undefined,
    counts: earlier?.counts ?? counts,
    type: (name) => typeState(join(own, name)),
    finish: () => rmSync(own, { recursive: true, force: true }),
  };
}

function write(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

function typeState(base: string): TypeState {
  const file = `${base}.json`;
  const name = base.slice(base.lastIndexOf('/') + 1);
  const progress: Progress = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Progress)
    : { after: 0, read: false, tally: newTally(name) };
  return {
    progress,
    save: () => write(file, progress),
    held: spoolAt(`${base}.held`),
    later: spoolAt(`${base}.later`),
    seen: (ids) => {
      if (ids.length) appendFileSync(`${base}.ids`, `${ids.join('\n')}\n`);
    },
    async *ids() {
      if (!existsSync(`${base}.ids`)) return;
      for await (const line of createInterface({ input: createReadStream(`${base}.ids`) }))
        if (/^\d+$/.test(line)) yield Number(line);
    },
  };
}
