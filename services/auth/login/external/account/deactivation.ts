import { randomUUID } from 'node:crypto';
import { record, rowsOf } from '@cadastre/rest';
import { updateRows } from '@cadastre/rest/write/store/store';
import { isUnusable, user } from '../../../models/user.ts';
import type { ExternalDeps } from './account.ts';
import { lockedUser, otherSuperuser } from './stored.ts';

/** An account whose user another system has let in before, but would no longer let in. */
export interface Deactivation {
  userId: number;
  source: string;
  /** In words, for the records. */
  why: string;
}

/**
 * Turns an account off, ends its sessions, and records that this was the reason. False for an account that is off
 * already, has a password here by now, or is the last superuser's, which nobody could replace.
 */
export async function turnOff(deps: ExternalDeps, { userId, source, why }: Deactivation): Promise<boolean> {
  const { engine, log, security } = deps;
  await engine.ready();
  return engine.transact(async (client) => {
    const found = await lockedUser(engine, client, 't.id = $1', userId);
    if (!found?.values['is_active'] || !isUnusable(found.values['password'] as string)) return false;
    if (found.values['is_superuser'] && !(await otherSuperuser(client, userId))) {
      log.warn({ user: userId, source, why }, 'the last superuser stays, although another system lets them in no more');
      return false;
    }
    const [after] = await updateRows(engine.tables, user, [{ ...found.values, is_active: false }], client);
    await rowsOf(client, { text: 'delete from user_session where user_id = $1', values: [userId] });
    await rowsOf(client, {
      text: 'update external_account set turned_off = now() where user_id = $1 and source = $2',
      values: [userId, source],
    });
    const message = `Turned off: ${why}.`;
    await record(
      await engine.readContext(client),
      [{ action: 'updated', model: user, before: found.cells, after: after!, message }],
      { id: randomUUID(), method: '', path: '', user: null, userId: null },
      client,
    );
    await security?.write(client, [
      {
        kind: 'external_account',
        ok: true,
        user: { id: userId, name: found.values['username'] as string },
        address: '',
        method: source,
        detail: `turned off: ${why}`,
        about: { type: user.name, id: userId },
      },
    ]);
    return true;
  });
}
