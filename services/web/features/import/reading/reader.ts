import { enterStage } from '@cadastre/service/current-work';
import { createPool, LimitError, type Pool } from '@cadastre/templates';
import { clientLeft, FairLimiter } from '@cadastre/body';
import { type Kind, readAs } from './parse.ts';
import { type Fault, type Found, found, type ReadJobs, type Reading, textIn } from './reading.ts';
import type { FileLimits } from '../files/zip.ts';
import type { ReaderLimits } from './settings.ts';

/** Reads the texts of import pages: short ones in this process, others in separate processes, in turns. */
export interface Reader {
  /** `told` is called with the number of objects so far. @throws Refusal 429, 503 when too much is being read */
  read(
    user: string,
    reading: Omit<Reading, 'limits'>,
    gone: AbortSignal,
    told: (rows: number) => void,
  ): Promise<Found | Fault>;
  close(): Promise<void>;
  /** The limits of one upload. */
  files: FileLimits;
}

/** The time to read a byte of each format, relative to JSON and before the code is optimised. */
const COST: Readonly<Record<Kind, number>> = { json: 1, csv: 2, yaml: 8 };

export function createReader(options: ReaderLimits): Reader {
  const { limits, inlineBytes, size, timeoutMs, memoryMb, turns: places } = options;
  const turns = new FairLimiter(places, 'imports');
  let pool: Pool<ReadJobs> | undefined;
  const readers = (): Pool<ReadJobs> =>
    (pool ??= createPool<ReadJobs>({
      size,
      timeoutMs,
      memoryMb,
      program: new URL('./read.worker.ts', import.meta.url),
      packages: ['csv-parse', 'jsonc-parser', 'yaml'],
    }));

  const isShort = ({ text, format }: Pick<Reading, 'text' | 'format'>): boolean =>
    text.length <= inlineBytes && text.length * COST[readAs(textIn(text), format).kind] <= inlineBytes;

  return {
    async read(user, reading, gone, told) {
      const whole = { ...reading, limits };
      if (isShort(reading)) {
        enterStage('reading an import');
        return found(whole);
      }
      return turns.run(user, gone, async () => {
        try {
          return await readers().run({ kind: 'read', ...whole }, gone, (rows) => told(rows as number));
        } catch (error) {
          if (!(error instanceof LimitError)) throw error;
          if (gone.aborted) throw clientLeft();
          return { fault: 'importReadLimit', said: {}, at: {} };
        }
      });
    },
    close: async () => pool?.close(),
    files: options.files,
  };
}
