import type { Model } from '@cadastre/model';
import pMap from 'p-map';
import { isThing } from '../../json.ts';
import { countOf, headOf, isAction, listsOf, pagesOf } from '../../lists.ts';
import type { Reader } from '../../reader.ts';
import { mediaIn } from './media.ts';
import type { Collection, Source } from './source.ts';

interface ApiOptions {
  reader: Reader;
  /** The types that are known here, by their paths (`dcim/sites`). */
  types: ReadonlyMap<string, Model>;
  /** How many lists are requested at the same time. */
  parallel: number;
  /** The folder of the source's uploaded files, if it is accessible. */
  media?: string | undefined;
}

/** An installation's public API. */
export function apiSource({ reader, types, parallel, media }: ApiOptions): Source {
  return {
    name: reader.base,
    async collections() {
      const lists = [...(await listsOf(reader)), ...(await pluginLists(reader))];
      const pathOf = (list: string): string => list.slice('/api/'.length, -1);
      const counted = await pMap(
        lists,
        async (list) => ({
          list,
          count: await (types.has(pathOf(list)) ? countOf(reader, list) : countOfUnknown(reader, list, types)),
        }),
        { concurrency: parallel },
      );
      return counted.flatMap(({ list, count }): Collection[] => {
        const path = pathOf(list);
        // Rows without ids are not objects: queues, workers.
        return count === undefined ? [] : [{ type: types.get(path)?.name ?? path, path, count }];
      });
    },
    async *read({ path }, after = 0) {
      for await (const page of pagesOf(reader, `/api/${path}/`, after + 1)) yield* page.toSorted((a, b) => a.id - b.id);
    },
    file: media === undefined ? reader.file : mediaIn(media),
    close: async () => {},
  };
}

/**
 * How many objects there are in a list that is not known here. An address that refuses is an action
 * (`connected-device`), not a list; and where the objects say that they belong to a list that is known, it is an alias
 * of that one.
 */
async function countOfUnknown(reader: Reader, list: string, types: ApiOptions['types']): Promise<number | undefined> {
  try {
    const { count, home } = (await headOf(reader, list)) ?? {};
    return home !== undefined && types.has(home.slice('/api/'.length, -1)) ? undefined : count;
  } catch (error) {
    if (isAction(error)) return undefined;
    throw error;
  }
}

/** The lists of plugins, which have a root of their own. */
async function pluginLists(reader: Reader): Promise<string[]> {
  const under = async (path: string): Promise<string[]> => {
    const root = await reader.get(path).catch(() => ({}));
    return isThing(root)
      ? Object.entries(root).flatMap(([name, address]) => (typeof address === 'string' ? [`${path}${name}/`] : []))
      : [];
  };
  const roots = (await under('/api/plugins/')).filter((root) => !root.endsWith('/installed-plugins/'));
  return (await Promise.all(roots.map(under))).flat();
}
