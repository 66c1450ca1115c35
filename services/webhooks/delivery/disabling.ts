import { randomUUID } from 'node:crypto';
import { ANYBODY, type Engine, Refusal, updateOne } from '@cadastre/rest';
import { eventRule } from '../models/eventRule.ts';
import type { DeliveryLog } from './problems.ts';

/**
 * Disables rules whose deliveries fail for too long: a change like any other, with a record that says why, and a line
 * in the log.
 */
export const disabling =
  (engine: Engine, log: DeliveryLog) =>
  async (rule: number, since: string): Promise<void> => {
    const why = `Disabled: every delivery has failed since ${since}.`;
    const cause = { id: randomUUID(), method: '', path: '', user: null, userId: null };
    try {
      await updateOne(engine, eventRule, rule, { enabled: false, changelog_message: why }, 'patch', undefined, {
        who: ANYBODY,
        cause,
        base: '',
      });
      log.warn({ rule, since }, 'an event rule was disabled, as all its deliveries have failed for too long');
    } catch (error) {
      // The rule has been deleted in the meantime.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    }
  };
