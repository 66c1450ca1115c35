import type { Model } from '@cadastre/model';
import { setImmediate as turn } from 'node:timers/promises';
import { refuse } from '../../core/errors.ts';
import type { Requester } from '../../core/requester.ts';
import { runner } from '../../db/limiter/guarded.ts';
import { selectList } from '../../db/select.ts';
import { loadRelated } from '../../serialize/related/related.ts';
import type { ReadEngine } from '../engine.ts';
import { planOf } from '../planned.ts';
import type { Query } from '../query/query.ts';
import type { Address } from './list.ts';

/** How many objects of an export are printed at a stretch. */
const AT_ONCE = 200;

/**
 * JSON texts of all objects of a list, whatever its pages. @throws Refusal 400 when there are more than one answer may
 * hold
 */
export async function listAll(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  { base, gone }: Pick<Address, 'base' | 'gone'>,
  strict: boolean,
): Promise<string[]> {
  await engine.invalidations.wait();
  const most = engine.settings.maxExportRows;
  const plan = await planOf(
    engine,
    model,
    { ...query, page: { mode: 'offset', limit: most + 1, offset: 0 } },
    who,
    strict,
  );
  const run = runner(engine, { regexes: plan.regexes, long: true }, who, { ...(gone && { gone }) });
  const rows = await run(plan.page(selectList(engine.tables, model, plan.writer.columns)));
  if (rows.length > most) throw refuse(400, `An export may hold at most ${most} objects; use filters to export fewer.`);
  const related = (await loadRelated(await engine.readContext(engine.pool, who), model, plan.writer, rows))(base);
  const texts: string[] = [];
  for (const [i, cells] of rows.entries()) {
    // Others have their turn in between.
    if (i % AT_ONCE === AT_ONCE - 1) await turn();
    texts.push(plan.writer.print(cells, related));
  }
  return texts;
}
