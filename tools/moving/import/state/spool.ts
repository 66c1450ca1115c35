import { appendFileSync, createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Lines of JSON in a file: objects that have to wait, in their order, without using memory. */
export interface Spool<T> {
  add(items: readonly T[]): void;
  read(): AsyncIterable<T>;
  isEmpty(): boolean;
  /** Takes out the present lines, under another file name, so that more can be added meanwhile. */
  take(): Spool<T>;
  clear(): void;
}

export function spoolAt<T>(file: string): Spool<T> {
  const taken = `${file}.taken`;
  return {
    add: (items) => {
      if (items.length) appendFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    },
    async *read() {
      if (!existsSync(file)) return;
      for await (const line of createInterface({
        input: createReadStream(file),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        const item = parsed<T>(line);
        if (item !== undefined) yield item;
      }
    },
    isEmpty: () => !existsSync(file) && !existsSync(taken),
    take() {
      // Lines that an earlier run had taken out and not finished come first.
      if (!existsSync(taken) && existsSync(file)) renameSync(file, taken);
      return spoolAt<T>(taken);
    },
    clear: () => rmSync(file, { force: true }),
  };
}

/** A line that a killed process left incomplete is ignored; its object is read from the source again. */
function parsed<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}
