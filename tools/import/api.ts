import type { Model } from '@cadastre/model';
import pMap from 'p-map';
import pRetry from 'p-retry';
import { isThing } from '../moving/json.ts';
import { countOf, listsOf, pagesOf } from '../moving/lists.ts';
import { type Reader, Unreadable } from '../moving/reader.ts';
import { mediaIn } from './database/media.ts';
import type { Collection, Source } from './source.ts';

interface ApiOptions {
  reader: Reader;
  /** Of the header Authorization, for files. */
  authorization: string;
  /** The types that are known here, by their paths (`dcim/sites`). */
  types: ReadonlyMap<string, Model>;
  /** So many lists are asked for at the same time. */
  parallel: number;
  /** The folder of the source's files, where it is at hand. */
  media?: string | undefined;
}

/** An installation's public API. */
export function apiSource({ reader, authorization, types, parallel, media }: ApiOptions): Source {
  return {
    name: reader.base,
    async collections() {
      const lists = [...(await listsOf(reader)), ...(await pluginLists(reader))];
      const counted = await pMap(lists, async (list) => ({ list, count: await countOf(reader, list) }), {
        concurrency: parallel,
      });
      return counted.flatMap(({ list, count }): Collection[] => {
        const path = list.slice('/api/'.length, -1);
        // What has no ids is no object: queues, workers.
        return count === undefined ? [] : [{ type: types.get(path)?.name ?? path, path, count }];
      });
    },
    async *read({ path }, after = 0) {
      for await (const page of pagesOf(reader, `/api/${path}/`, after + 1)) yield* page.toSorted((a, b) => a.id - b.id);
    },
    file: media === undefined ? (path) => fetched(reader.base, authorization, path) : mediaIn(media),
    close: async () => {},
  };
}

/** The lists of plugins, which stand below an address of their own. */
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

/** So often is a file asked for again that was not answered. */
const RETRIES = 5;

/** @throws Unreadable when the server stays without an answer; what it refuses is not there */
async function fetched(base: string, authorization: string, path: string): Promise<Buffer | undefined> {
  const url = `${base}/media/${path.split('/').map(encodeURIComponent).join('/')}`;
  return pRetry(
    async () => {
      const response = await fetch(url, { headers: { authorization } }).catch((error: Error) => {
        throw new Unreadable(`${base} does not answer (GET ${url}: ${error.message})`, undefined, error);
      });
      if (response.status === 429 || response.status >= 500)
        throw new Unreadable(`GET ${url} was answered with ${response.status}`, response.status);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
    { retries: RETRIES, maxTimeout: 60_000, randomize: true },
  );
}
