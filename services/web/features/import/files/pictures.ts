import type { Dict, Model } from '@cadastre/model';
import type { Brought } from './zip.ts';

/** A picture for a field of an object. */
interface Picture {
  field: string;
  file: Brought;
}

/** Pictures that were uploaded with documents, assigned to objects by file name. */
export interface Pictures {
  /** The pictures of an object. */
  of(body: Dict): Picture[];
  /** The pictures that belong to no object. */
  left(): Brought[];
}

const ENDING = /\.(png|jpe?g|gif|webp|bmp|tiff?)$/i;

/** Whether a file is a picture, judged by its name. */
export const isPicture = ({ path }: Pick<Brought, 'path'>): boolean => ENDING.test(path);

const nameOf = ({ path }: Brought): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/**
 * The naming of the public library: `elevation-images/Cisco/cisco-c9300.front.png` belongs to the type with that slug.
 */
export function picturesIn({ documents }: Model, files: readonly Brought[]): Pictures {
  const { by = '', fields = {} } = documents?.pictures ?? {};
  const byName = new Map(files.map((file) => [nameOf(file).replace(ENDING, ''), file]));
  const used = new Set<Brought>();
  return {
    of: (body) =>
      Object.entries(fields).flatMap(([field, side]): Picture[] => {
        const file = byName.get(`${String(body[by] ?? '')}.${side}`.toLowerCase());
        if (file) used.add(file);
        return file ? [{ field, file }] : [];
      }),
    left: () => files.filter((file) => !used.has(file)),
  };
}
