import { invalidateType } from '@cadastre/rest';
import type { Executor } from '@cadastre/rest';
import { webhookReplay } from '../../models/webhookReplay.ts';

/** Invalidates what any process has cached of replays. */
export const tellReplays = (executor: Executor): Promise<void> => invalidateType(webhookReplay.name, executor);
