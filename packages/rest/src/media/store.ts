import type { Readable } from 'node:stream';

/** Where files are. Paths are relative, made by `pathFor`, or checked by `isPathOf`. */
export interface MediaStore {
  put(path: string, bytes: Buffer, type: string): Promise<void>;
  /** Undefined when there is no such file. */
  get(path: string): Promise<{ stream: Readable; size: number } | undefined>;
  /** Without effect when there is no such file. */
  remove(path: string): Promise<void>;
}
