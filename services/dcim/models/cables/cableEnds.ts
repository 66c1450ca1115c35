import { type ImportColumn, narrows } from '@cadastre/model';
import { TERMINABLE } from '../cabling/terminable.ts';

/** What files for import say of one side of a cable: what it is plugged into, by its type, its name, and where that is. */
const side = (letter: 'a' | 'b'): Record<string, ImportColumn> => {
  const column = (name: string): string => `side_${letter}_${name}`;
  const here = { site_id: column('site') };
  return {
    [column('site')]: narrows('dcim.site'),
    [column('device')]: narrows('dcim.device', { among: here }),
    [column('power_panel')]: narrows('dcim.powerpanel', { among: here }),
    [column('type')]: { is: 'objectType', of: TERMINABLE },
    [column('name')]: {
      is: 'object',
      ofColumn: column('type'),
      among: { device_id: column('device'), power_panel_id: column('power_panel') },
      puts: (object_id, row) => ({ [`${letter}_terminations`]: [{ object_type: row[column('type')]!, object_id }] }),
      needs: [[column('type')]],
    },
  };
};

export const cableEnds = (): Record<string, ImportColumn> => ({ ...side('a'), ...side('b') });
