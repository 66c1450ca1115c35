import { type Dict, type GivenFile, isDict, type Json, type Model } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import { uploadsOf } from '../../media/files.ts';
import { probe } from '../../media/probe.ts';
import type { Draft } from '../../write/context/draft.ts';

/**
 * Takes files out of objects, where they stand as `{"path": "…", "base64": "…"}`: `path` is where they were elsewhere,
 * below the folder of all files. In the objects, keys of the files take their place.
 */
export function filesIn(
  model: Model,
  objects: readonly Json[],
  maxFileBytes: number,
): { objects: Json[]; files: Map<string, GivenFile> } {
  const files = new Map<string, GivenFile>();
  const names = uploadsOf(model).map(([name]) => name);
  const without = (object: Dict): Dict => {
    const plain = { ...object };
    for (const name of names) {
      const value = object[name];
      if (!isDict(value) || typeof value['base64'] !== 'string' || typeof value['path'] !== 'string') continue;
      const bytes = Buffer.from(value['base64'], 'base64');
      const key = `file ${files.size}`;
      const path = value['path'];
      files.set(key, { name: path.replace(/^.*\//, ''), path, bytes, image: probe(bytes, maxFileBytes) });
      plain[name] = key;
    }
    return plain;
  };
  return { objects: objects.map((object) => (names.length && isDict(object) ? without(object) : object)), files };
}

/** A file that exists already stays where it is. */
export async function keepUnchangedFiles(
  { files }: WriteEngine,
  model: Model,
  drafts: readonly Draft[],
  given: ReadonlyMap<string, GivenFile> | undefined,
): Promise<void> {
  if (!files || !given?.size) return;
  for (const [name] of uploadsOf(model))
    for (const { item, before } of drafts) {
      const file = given.get(String(item.values[name]));
      const path = before?.[name];
      if (file && typeof path === 'string' && path && (await files.holds(path, file.bytes))) delete item.values[name];
    }
}
