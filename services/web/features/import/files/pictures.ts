import type { Dict, Model } from '@cadastre/model';
import type { Brought } from './zip.ts';

/** A picture for a field of an object. */
interface Picture {
  field: string;
  file: Brought;
}

/** Pictures that came beside documents, by what their names say. */
export interface Pictures {
  /** Those of an object of a file. */
  of(body: Dict): Picture[];
  /** Those that no object has asked for. */
  left(): Brought[];
}

const ENDING = /\.(png|jpe?g|gif|webp|bmp|tiff?)$/i;

/** Whether a file may be a picture, by its name. */
export const isPicture = ({ path }: Pick<Brought, 'path'>): boolean => ENDING.test(path);

const nameOf = ({ path }: Brought): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

/** As the public library has them: `elevation-images/Cisco/cisco-c9300.front.png` is one of the type with that slug. */
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
