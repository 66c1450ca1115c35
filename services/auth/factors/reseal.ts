import { executor } from '@cadastre/service/executor';
import type { ModelService } from '@cadastre/service/models';
import { placeOf } from './check.ts';
import { sealOf } from './options.ts';

/**
 * Re-encrypts with the first key what an older one has encrypted. Any process may do this at any time, and repeatedly.
 */
export async function resealFactors({
  engine,
  config,
  log,
}: Pick<ModelService, 'engine' | 'config' | 'log'>): Promise<void> {
  const seal = sealOf(config);
  if (!seal) return;
  await engine.transact(async (client) => {
    const { rows } = await executor(client).query<{ id: string; user_id: string; secret: string }>({
      text: `select id, user_id, secret from user_factor where secret is not null order by id for no key update`,
    });
    for (const { id, user_id, secret } of rows) {
      if (seal.state(secret) === 'closed') continue;
      const place = placeOf(Number(user_id));
      try {
        await executor(client).query({
          text: 'update user_factor set secret = $2 where id = $1',
          values: [id, seal.close(seal.open(secret, place), place)],
        });
      } catch (error) {
        log.error({ err: error, factor: id }, 'the secret of a second factor cannot be opened by any of FACTOR_KEYS');
      }
    }
  });
}
