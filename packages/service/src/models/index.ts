export { askAuth } from '../permissions/auth.ts';
export { exemptTypes, grantsOf, type PermissionSet } from '../permissions/grants.ts';
export { openEventLog } from '../events/log.ts';
export type { ModelService } from './options.ts';
export type { Show } from '../peers/models.ts';
export { modelService } from './service.ts';
export type { Viewers } from '../permissions/viewers.ts';
