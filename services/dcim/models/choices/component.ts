import { choices } from '@cadastre/model';

export const duplex = choices([
  ['half', 'Half'],
  ['full', 'Full'],
  ['auto', 'Auto'],
]);

export const consolePortSpeed = choices([
  [1200, '1200 bps'],
  [2400, '2400 bps'],
  [4800, '4800 bps'],
  [9600, '9600 bps'],
  [19_200, '19.2 kbps'],
  [38_400, '38.4 kbps'],
  [57_600, '57.6 kbps'],
  [115_200, '115.2 kbps'],
]);

export const powerOutletStatus = choices([
  ['enabled', 'Enabled'],
  ['disabled', 'Disabled'],
  ['faulty', 'Faulty'],
]);
