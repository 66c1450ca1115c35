// A temporary folder in memory. A system of a test begins with a copy of 200 MB in 7,000 files, and ends by deleting
// them: on a disk that takes four seconds of the processor, in memory half a second.
import { statfsSync } from 'node:fs';

const GB = 2 ** 30;
/** How much a run needs at most, and how much must be left for the rest of the machine. */
const NEEDED = 4 * GB;
const LEFT = 6 * GB;

/** Whether a folder in memory with so many free bytes is large enough, on a machine with so many available bytes. */
export const isRoomy = (free: number, available: number): boolean => free >= NEEDED && available >= NEEDED + LEFT;

/** Linux's folder in memory, where it and the machine have room for a run of the tests. */
export function memoryFolder(folder = '/dev/shm'): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return isRoomy(bavail * bsize, process.availableMemory()) ? folder : undefined;
  } catch {
    // No such folder: not Linux.
    return undefined;
  }
}
