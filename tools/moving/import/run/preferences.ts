import { batchesOf } from './batches.ts';
import type { Import } from './import.ts';
import type { Preferences } from '../sources/source.ts';
import { inWords, newTally, type Tally, tell } from '../state/tally.ts';
import { BATCH } from './visits.ts';

/** Not one of our models, but the name of the preferences in the report. */
const TYPE = 'users.userconfig';
const PATH = 'users/config';

/** Imports the preferences of users, once the users are stored. @throws Unreachable */
export async function bringPreferences({
  source,
  target,
  ids,
  dryRun,
}: Pick<Import, 'source' | 'target' | 'ids' | 'dryRun'>): Promise<Tally[]> {
  const tally = newTally(TYPE);
  const bytesOf = ({ config }: Preferences): number => JSON.stringify(config).length;
  for await (const batch of batchesOf(source.preferences?.() ?? none(), { ...BATCH, bytesOf })) {
    const objects = batch.map(({ user, config: data }) => JSON.stringify({ id: ids.of('users.user', user), data }));
    for (const [i, { outcome, errors }] of (await target.store(PATH, objects, dryRun)).entries()) {
      tally.read += 1;
      if (outcome === 'created' || outcome === 'updated' || outcome === 'unchanged') tally[outcome] += 1;
      else tell(tally, 'refused', { id: batch[i]!.user, told: inWords(errors) });
    }
  }
  return tally.read ? [tally] : [];
}

async function* none(): AsyncGenerator<Preferences> {}
