import { typeId } from '@cadastre/model';
import { webhookDelivery } from '../models/webhookDelivery.ts';

/**
 * The part of a statement, a member of its `with`, that says that deliveries have changed, when `which` finds any:
 * whoever remembers something of them, in whatever process, forgets it.
 */
export const invalidation = (which: string): string =>
  `told as (insert into cache_invalidation (type, id) select ${typeId(webhookDelivery.name)}, 0 where exists (${which}))`;
