import { line } from './consolePort.ts';
import { cabledComponent } from '../groups/component.ts';

/** Where a device manages others over a serial line. */
export const consoleServerPort = cabledComponent('dcim.consoleserverport', {
  path: 'console-server-ports',
  pages: { columns: ['device', 'label', 'type', 'speed', 'cable', 'description'] },
  label: 'console server port',
  fields: line(),
});
