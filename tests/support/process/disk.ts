import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A separate disk, in memory. */
export interface Disk {
  folder: string;
  /** Fills it up. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** Creates a disk with a number of bytes; undefined where this process may not. */
export function diskOf(folder: string, bytes: number): Disk | undefined {
  mkdirSync(folder);
  const run = (command: string, ...words: string[]): void => void execFileSync(command, words, { stdio: 'ignore' });
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'cadastre-test', folder);
  } catch {
    return undefined;
  }
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o711);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'w');
      const block = Buffer.alloc(65_536);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast),
    remove: () => run('umount', '--lazy', folder),
  };
}
