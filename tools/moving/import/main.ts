// `npm run import`: imports everything from a NetBox or from another Cadastre.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadCatalogue } from '@cadastre/model';
import { sourceOf } from './sources/from.ts';
import { idsIn } from './mapping/ids.ts';
import { optionsOf } from './options.ts';
import { tellingOn } from './state/progress.ts';
import { conflictsReport, reportJson, reportOf } from './state/report.ts';
import { runImport } from './run/run.ts';
import { stateIn } from './state/state.ts';
import { isWhole } from './state/tally.ts';
import { targetAt } from './target.ts';
import { authorizationOf, systemWithToken } from '../../command/system.ts';

/** @returns the exit code */
async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2));
  if (typeof options === 'string') {
    process.stdout.write(options);
    return 0;
  }
  const { dryRun, deleteMany, history, parallel, retries, mapIds } = options;
  const catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../../services'));
  const { url, token } = systemWithToken({ url: options.to, token: options.toToken }, process.env, {
    url: '--to',
    token: '--to-token',
  });
  const target = targetAt(url, { authorization: authorizationOf(token), retries });
  const source = await sourceOf(options, catalogue);
  const folder = resolve(options.state ?? join(process.env['DATA_DIR'] || './data', 'import'));
  // A dry run leaves nothing behind, and does not continue an earlier import.
  const used = dryRun ? mkdtempSync(join(tmpdir(), 'cadastre-import-')) : folder;
  const progress = tellingOn(process.stderr);
  try {
    const { tallies, conflicts, resumed } = await runImport({
      catalogue,
      source,
      target,
      stateFor: (counts) => stateIn(used, source.name, target.name, counts),
      ids: idsIn(join(folder, 'ids.csv')),
      mapIds,
      dryRun,
      deleteMany,
      history,
      parallel,
      progress,
    })
      .catch((error: Error) => {
        const again = dryRun ? '' : '\nWhat is there stays. Start it again to go on from here.';
        throw new Error(`${error.message}${again}`, { cause: error });
      })
      .finally(() => progress.stop());
    if (options.report !== undefined) writeFileSync(options.report, reportJson(tallies, conflicts));
    if (conflicts.length) {
      process.stdout.write(`${conflictsReport(conflicts, target.name)}\n`);
      return 1;
    }
    if (resumed) process.stdout.write('This went on with an import that had been ended before it was over.\n');
    process.stdout.write(`${reportOf(tallies, { dryRun, from: source.name, to: target.name })}\n`);
    return tallies.every(isWhole) ? 0 : 1;
  } finally {
    await source.close();
    if (dryRun) rmSync(used, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
