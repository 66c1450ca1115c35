export { askAuth } from './models/auth.ts';
export { exemptTypes, grantsOf, type PermissionSet } from './models/grants.ts';
export { openEventLog } from './models/log.ts';
export type { ModelService, ModelServiceOptions } from './models/options.ts';
export type { Show } from './models/peers.ts';
export { modelService } from './models/service.ts';
export type { Viewers } from './models/viewers.ts';
