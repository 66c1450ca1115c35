import { senderTo } from '../command/api.ts';
import { authorizationOf } from '../command/system.ts';

/** An object of the API, as a request or as an answer. */
export type Thing = { [name: string]: unknown };

/**
 * The part of the API that the demo uses. Every method throws an Error that shows the answer when it is not a success.
 */
export interface Api {
  /** Creates objects, all or none. */
  create(path: string, objects: Thing[]): Promise<Thing[]>;
  change(path: string, objects: Thing[]): Promise<Thing[]>;
  /** All objects of a list. */
  list(path: string): Promise<Thing[]>;
}

const PAGE = 1000;

export function apiAt(url: string, token: string): Api {
  const send = senderTo(url, authorizationOf(token));
  return {
    create: async (path, objects) => (objects.length ? ((await send('POST', path, objects)) as Thing[]) : []),
    change: async (path, objects) => (objects.length ? ((await send('PATCH', path, objects)) as Thing[]) : []),
    list: async (path) => {
      const found: Thing[] = [];
      const join = path.includes('?') ? '&' : '?';
      for (let offset = 0; ; offset += PAGE) {
        const { results, next } = (await send('GET', `${path}${join}limit=${PAGE}&offset=${offset}`)) as {
          results: Thing[];
          next: string | null;
        };
        found.push(...results);
        if (next === null) return found;
      }
    },
  };
}
