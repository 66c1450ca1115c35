import { CIRCUIT_END, FRONT_PORT, PATH_ENDPOINTS, REAR_PORT } from './plant.ts';

const CONSOLE_PORT = 'dcim.consoleport';
const CONSOLE_SERVER_PORT = 'dcim.consoleserverport';
const INTERFACE = 'dcim.interface';
const POWER_PORT = 'dcim.powerport';
const POWER_OUTLET = 'dcim.poweroutlet';
const POWER_FEED = 'dcim.powerfeed';
const THROUGH = [FRONT_PORT, REAR_PORT];
const PORT_PARTNERS = [CONSOLE_PORT, CONSOLE_SERVER_PORT, INTERFACE, ...THROUGH, CIRCUIT_END];

/** The types at which a cable can end, and the types that its other side may then have. */
export const PARTNERS: Readonly<Record<string, readonly string[]>> = {
  [CONSOLE_PORT]: [CONSOLE_SERVER_PORT, ...THROUGH],
  [CONSOLE_SERVER_PORT]: [CONSOLE_PORT, ...THROUGH],
  [POWER_PORT]: [POWER_OUTLET, POWER_FEED],
  [POWER_OUTLET]: [POWER_PORT],
  [POWER_FEED]: [POWER_PORT],
  [INTERFACE]: [INTERFACE, CIRCUIT_END, ...THROUGH],
  [FRONT_PORT]: PORT_PARTNERS,
  [REAR_PORT]: PORT_PARTNERS,
  [CIRCUIT_END]: [INTERFACE, ...THROUGH, CIRCUIT_END],
};

/** The types at which a cable can end. */
export const TERMINABLE: readonly string[] = [...PATH_ENDPOINTS, ...THROUGH, CIRCUIT_END];

/** Those of this service. */
export const OWN_TERMINABLE: readonly string[] = [...PATH_ENDPOINTS, ...THROUGH];
