import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The objects whose id at the target differs from the one at the source. */
export interface Ids {
  /** The id that an object has at the target. */
  of(type: string, id: number): number;
  /** Whether an object has been given a different id there. */
  has(type: string, id: number): boolean;
  /** The ids at the target that objects of the source have been given instead of theirs. */
  given(type: string): ReadonlySet<number>;
  set(type: string, id: number, becomes: number): void;
  /** Writes the whole map, if it is not empty: lines of type, old id, new id. */
  save(): void;
}

const HEAD = 'type,old id,new id';

/** Kept in a file of comma-separated values, so that the next import gives the same ids. */
export function idsIn(file: string): Ids {
  const there = new Map<string, Map<number, number>>();
  const given = new Map<string, Set<number>>();
  const set = (type: string, id: number, becomes: number): void => {
    const ofType = there.get(type) ?? new Map<number, number>();
    there.set(type, ofType.set(id, becomes));
    given.set(type, (given.get(type) ?? new Set()).add(becomes));
  };
  if (existsSync(file))
    for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
      const [type, id, becomes] = line.split(',');
      if (type && id && becomes) set(type, Number(id), Number(becomes));
    }
  return {
    of: (type, id) => there.get(type)?.get(id) ?? id,
    has: (type, id) => there.get(type)?.has(id) ?? false,
    given: (type) => given.get(type) ?? new Set(),
    set,
    save() {
      if (!there.size) return;
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const lines = [...there].flatMap(([type, ids]) => [...ids].map(([id, becomes]) => `${type},${id},${becomes}`));
      writeFileSync(`${file}.new`, `${[HEAD, ...lines].join('\n')}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}
