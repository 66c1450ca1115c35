export { grantsOf, type PermissionSet } from './models/grants.ts';
export { openEventLog } from './models/log.ts';
export type { Show } from './models/peers.ts';
export type { Viewers } from './models/viewers.ts';
export { type ModelService, type ModelServiceOptions, runModelService } from './models/run.ts';
