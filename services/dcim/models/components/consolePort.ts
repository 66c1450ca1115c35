import { choice, type Field } from '@cadastre/model';
import { consolePortSpeed } from '../choices/component.ts';
import { consolePortType } from '../choices/ports/consolePortType.ts';
import { cabledComponent } from '../groups/component.ts';

/** What both ends of a console line have. */
export const line = (): Record<string, Field> => ({
  type: choice(consolePortType, { optional: true, nullable: true }),
  speed: choice(consolePortSpeed, { optional: true, nullable: true, numeric: true, one: true }),
});

/** Where a device is managed over a serial line. */
export const consolePort = cabledComponent('dcim.consoleport', {
  path: 'console-ports',
  pages: { columns: ['device', 'label', 'type', 'speed', 'cable', 'description'] },
  label: 'console port',
  fields: line(),
});
