import { MultiBar, type SingleBar } from 'cli-progress';

/** Reports the progress of an import. */
export interface Telling {
  begin(type: string, of: number): void;
  at(type: string, done: number): void;
  end(type: string): void;
  stop(): void;
}

/** How often a line reports the progress of a type that takes long, in milliseconds. */
const EVERY_MS = 10_000;

/** Bars on a terminal, lines elsewhere. */
export const tellingOn = (stream: NodeJS.WriteStream): Telling =>
  stream.isTTY ? bars(stream) : lines((line) => stream.write(`${line}\n`));

/** A bar for each type that is being imported. */
function bars(stream: NodeJS.WriteStream): Telling {
  const all = new MultiBar({
    format: '{bar} {value} of {total}  {type}',
    hideCursor: true,
    barsize: 30,
    clearOnComplete: true,
    stream,
  });
  const running = new Map<string, SingleBar>();
  return {
    begin: (type, of) => {
      if (of) running.set(type, all.create(of, 0, { type }));
    },
    at: (type, done) => running.get(type)?.update(done, { type }),
    end: (type) => {
      const bar = running.get(type);
      if (!bar) return;
      running.delete(type);
      all.remove(bar);
      all.log(`${type}: ${bar.getTotal()}\n`);
    },
    stop: () => all.stop(),
  };
}

/** A line when a type is complete, and now and then before. */
export function lines(write: (line: string) => void, now: () => number = Date.now): Telling {
  const running = new Map<string, { of: number; done: number; told: number }>();
  return {
    begin: (type, of) => running.set(type, { of, done: 0, told: now() }),
    at: (type, done) => {
      const one = running.get(type);
      if (!one) return;
      one.done = done;
      if (now() - one.told < EVERY_MS) return;
      one.told = now();
      write(`${type}: ${done} of ${one.of}`);
    },
    end: (type) => {
      const one = running.get(type);
      running.delete(type);
      if (one?.of) write(`${type}: ${one.done}, all of them`);
    },
    stop: () => running.clear(),
  };
}
