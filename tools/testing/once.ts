import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long other processes wait for the first one's result. */
const WAIT_MS = 300_000;

/**
 * Does something once for all processes that name the same folder: the first to make the folder does it, all get the
 * text that it comes to.
 * @throws what the first call threw, to every caller
 */
export async function once(folder: string, make: () => Promise<string>): Promise<string> {
  const made = `${folder}.made`;
  const failure = `${folder}.failure`;
  if (isFirst(folder)) {
    try {
      writeFileSync(`${made}.new`, await make());
      // So that no process reads an incomplete file.
      renameSync(`${made}.new`, made);
    } catch (error) {
      writeFileSync(failure, String(error));
      throw error;
    }
  }
  for (const until = Date.now() + WAIT_MS; !existsSync(made); await sleep(20)) {
    if (existsSync(failure)) throw new Error(readFileSync(failure, 'utf8'));
    if (Date.now() > until) throw new Error(`nobody has made what ${folder} is for`);
  }
  return readFileSync(made, 'utf8');
}

function isFirst(folder: string): boolean {
  try {
    // Processes that run as other users need access.
    mkdirSync(folder, { mode: 0o711 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
