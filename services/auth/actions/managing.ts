import type { ActionHandler } from '@cadastre/rest';
import type { ModelService } from '@cadastre/service/models';
import type { Passwords } from '../models/user.ts';
import type { SecurityRecord } from '../security/record.ts';
import { accountPassword, tokenRevocation } from './accounts.ts';
import { tokenPolicy } from './tokenPolicy.ts';
import { rotation, tokenUse } from './tokens.ts';

/** What operators do with tokens and accounts besides writing them. */
export const managing = (
  { engine, config }: Pick<ModelService, 'engine' | 'config'>,
  security: SecurityRecord,
): Record<string, ActionHandler> => ({
  'users/tokens/policy': tokenPolicy({ ...config, tokenIdleDays: config.maintenanceMode ? 0 : config.tokenIdleDays }),
  'users/tokens/*/use': tokenUse(engine, { tokenIdleDays: config.maintenanceMode ? 0 : config.tokenIdleDays }),
  'users/tokens/*/rotate': rotation(engine, security, config),
  'users/users/*/revoke-tokens': tokenRevocation(engine),
  'users/users/*/password': accountPassword(engine, engine.facilities['passwords'] as Passwords),
});
