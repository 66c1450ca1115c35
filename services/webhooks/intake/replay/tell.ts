import { invalidateType } from '@cadastre/rest';
import type { Executor } from '@cadastre/rest';
import { webhookReplay } from '../../models/webhookReplay.ts';

/** Replays have changed: whoever remembers something of them, in whatever process, forgets it. */
export const tellReplays = (executor: Executor): Promise<void> => invalidateType(webhookReplay.name, executor);
