import { typeId } from '@cadastre/model';
import { webhookDelivery } from '../models/webhookDelivery.ts';

/**
 * A member of a statement's `with` that announces that deliveries have changed, when `which` finds any, so that all
 * processes drop what they have cached of them.
 */
export const invalidation = (which: string): string =>
  `told as (insert into cache_invalidation (type, id) select ${typeId(webhookDelivery.name)}, 0 where exists (${which}))`;
