import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { pipelined, rowsOf, transaction } from '@cadastre/rest';
import { type ModelService, modelService } from '@cadastre/service/models';
import { limitsFrom } from '@cadastre/service/templates';
import { choices } from './actions/choices.ts';
import { dashboard } from './actions/dashboard.ts';
import { render } from './actions/render.ts';
import { sync } from './actions/sync.ts';
import { forgetUsers, recordChanges, unrecorded } from './changeLog.ts';
import { changesGrpc } from './changes.ts';
import { baseChoices } from './models/customizing/baseChoices.ts';
import { configContext } from './models/templates/configContext.ts';
import { configContextProfile } from './models/templates/configContextProfile.ts';
import { configTemplate } from './models/templates/configTemplate.ts';
import { exportTemplate } from './models/templates/exportTemplate.ts';
import { notifySubscribers, notifyUsers } from './notify.ts';
import { keepObjectTypes } from './objectTypes.ts';
import { concealOldCredentials } from './oldCredentials.ts';
import { keepTidy } from './retention.ts';
import { followTags } from './taggedItems.ts';

export const service = modelService('extras', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  // The specification has change records in `extras`, the reference in `core`: both paths lead to them.
  aliases: { 'extras/object-changes': 'core.objectchange' },
  actions,
  grpc: ({ pool }) => [changesGrpc(pool)],
  unrecorded: async ({ pool, config }, ids) => ({
    event_ids: await unrecorded(ids, pool),
    kept_days: config.changelogRetention,
  }),
  async onEvents({ catalogue, pool, viewers }, events) {
    await transaction(pool, (client) =>
      pipelined([recordChanges(catalogue, events, client), followTags(catalogue, events, client)]),
    );
    await notifySubscribers(catalogue, events, pool, viewers);
    await notifyUsers(events, pool, viewers);
    await forgetLeavers(
      events.filter((e) => e.objectType === 'users.user' && e.action === 'deleted').map((e) => e.objectId),
      pool,
    );
  },
  async onFilled({ catalogue, pool }, objectType, ids, gone) {
    await followTags(
      catalogue,
      ids.map((objectId) => ({ objectType, objectId })),
      pool,
    );
    if (gone && objectType === 'users.user') await forgetLeavers(ids, pool);
  },
  async started({ catalogue, pool, config, log, onClose }) {
    await keepObjectTypes(catalogue, pool);
    await concealOldCredentials(pool);
    onClose(
      'change log retention',
      keepTidy(pool, config.changelogRetention, (err) => log.warn({ err }, 'the change log could not be tidied')),
    );
  },
}));

async function forgetLeavers(ids: readonly number[], pool: Pool): Promise<void> {
  await forgetUsers(ids, pool);
  if (ids.length)
    await rowsOf(pool, { text: 'delete from dashboard where user_id = any($1::bigint[])', values: [ids] });
}

function actions({ engine, pool, env, renderer: rendererFor }: ModelService) {
  const renderer = rendererFor(limitsFrom(env));
  const synced = [configContext, configContextProfile, configTemplate, exportTemplate].map(
    (model) => [`extras/${model.path}/*/sync`, sync(engine, model)] as const,
  );
  return {
    'extras/custom-field-choice-sets/*/choices': choices(engine),
    'extras/config-templates/*/render': render(engine, renderer),
    'extras/dashboard': dashboard(pool),
    ...Object.fromEntries(synced),
  };
}
