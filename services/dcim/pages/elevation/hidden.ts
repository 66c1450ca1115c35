import type { Api } from '@cadastre/pages';
import type { Face } from './units.ts';

type Unit = { id: number; device: unknown; occupied: boolean };

/** Where something stands in a rack that this user may not see; the API says of it only that it is there. */
export async function hiddenIn(api: Api, rack: number): Promise<Record<Face, Set<number>>> {
  const on = async (face: Face): Promise<Set<number>> => {
    const { results } = await api.get<{ results: Unit[] }>(
      `/api/dcim/racks/${rack}/elevation/?face=${face}&limit=1000`,
    );
    return new Set(results.filter(({ device, occupied }) => occupied && device === null).map(({ id }) => Number(id)));
  };
  const [front, rear] = await Promise.all([on('front'), on('rear')]);
  return { front, rear };
}
