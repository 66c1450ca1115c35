import type { Json } from '@cadastre/model';
import type { Api, Listed, Shown } from './api.ts';

/** The most objects that a page of the API has. */
export const MOST = 1_000;

export type Wanted = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>;

/** Parameters of a list: a list stands for several values, undefined for no parameter, `null` for objects without a value. */
export function search(wanted: Wanted): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as readonly Json[]) : [value]) query.append(name, String(one));
  }
  return query;
}

/** The objects of a list, as many as a page has; empty for a list that the user may not see. */
export async function listed<T = Shown>(api: Api, path: string, wanted: Wanted): Promise<Listed<T>> {
  try {
    return await api.get<Listed<T>>(`${path}?${search({ limit: MOST, ...wanted })}`);
  } catch (error) {
    if ((error as { status?: unknown }).status === 403) return { count: 0, results: [] };
    throw error;
  }
}

/** The same by ids, each asked for once; without ids there is no request. */
export async function listedById<T extends { id: number } = Shown>(
  api: Api,
  path: string,
  ids: Iterable<number>,
  wanted: Wanted = {},
): Promise<Map<number, T>> {
  const all = [...new Set(ids)].slice(0, MOST);
  if (!all.length) return new Map();
  const { results } = await listed<T>(api, path, { ...wanted, id: all });
  return new Map(results.map((one) => [one.id, one]));
}
