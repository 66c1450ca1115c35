import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import type { MediaStore } from '@cadastre/rest';

/** Files in a folder. */
export function diskStore(folder: string): MediaStore {
  const root = resolve(folder);
  const placeOf = (path: string): string => {
    const place = resolve(root, path);
    if (!place.startsWith(root + sep)) throw new Error(`${path} is outside the folder of files`);
    return place;
  };
  return {
    async put(path, bytes) {
      const place = placeOf(path);
      const unfinished = `${place}.${randomUUID()}`;
      await mkdir(dirname(place), { recursive: true, mode: 0o750 });
      try {
        const file = await open(unfinished, 'wx', 0o640);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, place);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async get(path) {
      try {
        const file = await open(placeOf(path), 'r');
        const { size } = await file.stat();
        return { stream: file.createReadStream(), size };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(path) {
      await rm(placeOf(path), { force: true });
    },
  };
}
