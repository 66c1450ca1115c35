import type { Api, Thing } from './api.ts';

/** Objects of one list, made together; those that name others by id are known only when those exist. */
export interface Step {
  what: string;
  path: string;
  objects: Thing[] | ((api: Api) => Promise<Thing[]>);
  /** How many there will be, for the progress bar. */
  count: number;
  /** Changes existing objects instead of creating new ones. */
  change?: boolean;
}

export const step = (what: string, path: string, objects: Thing[]): Step => ({
  what,
  path,
  objects,
  count: objects.length,
});
export const later = (
  what: string,
  path: string,
  count: number,
  objects: (api: Api) => Promise<Thing[]>,
  change = false,
): Step => ({ what, path, objects, count, change });

/**
 * Ids of a list's objects by a name that is derived from each. @throws Error (when called) for a name that does not
 * exist
 */
export async function idsOf(
  api: Api,
  path: string,
  nameOf: (thing: Thing) => string,
): Promise<(name: string) => number> {
  const ids = new Map((await api.list(path)).map((thing) => [nameOf(thing), thing['id'] as number]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`there is no ${name} in ${path}`);
    return id;
  };
}

/** The name of the object that a field refers to. */
export const nameIn = (thing: Thing, field: string): string => String((thing[field] as { name?: string } | null)?.name);
export const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
/** Objects that have a name and the slug made of it. */
export const named = (names: string[], more: Thing = {}): Thing[] =>
  names.map((name) => ({ name, slug: slugOf(name), ...more }));
