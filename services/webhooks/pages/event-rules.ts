import type { Action, Panel } from '@cadastre/pages';
import { lastFailures } from './delivery/failures.ts';

const TYPE = 'extras.eventrule';

/** A page of ours to go back to; never an address elsewhere. */
const backTo = (given: string | null): string | undefined =>
  given !== null && /^\/extras\/webhooks\/\d{1,15}\/$/.test(given) ? given : undefined;

const turned = (enabled: boolean): Action => ({
  on: TYPE,
  name: enabled ? 'enable' : 'disable',
  title: enabled ? 'Enable' : 'Disable',
  may: 'change',
  has: (rule) => rule['enabled'] !== enabled,
  main: () => enabled,
  async post({ api, object, submitted, pageFor }) {
    await api.ask('PATCH', `/api/extras/event-rules/${object.id}/`, { body: { enabled } });
    return backTo(submitted.get('back')) ?? pageFor(TYPE, object.id)!;
  },
});

/** Switching a rule on and off, without its form. */
export const actions: readonly Action[] = [turned(true), turned(false)];

export const panels: readonly Panel[] = [lastFailures(TYPE, 'rule_id')];
