import { mapPaced } from '@cadastre/body';
import type { Dict, Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { CustomFieldDefinitions } from '../../cache/customFieldDefinitions.ts';
import { uploadsOf } from '../../media/files.ts';
import type { WriteContext } from '../context/context.ts';
import type { Draft } from '../context/draft.ts';
import type { WriteEngine } from '../context/engine.ts';
import { mergeCustomFields } from '../parse/customFields.ts';
import { lookUpInImport, noteInImport } from '../context/importRun.ts';
import { refuseErrors } from '../parse/items.ts';
import { hasErrors } from '../context/item.ts';
import { checkTags, mergeTags } from '../parse/tags.ts';
import { resolveCustomObjects } from '../resolve/customObjects.ts';
import { definitionsFor } from '../resolve/definitions.ts';
import { resolveDerived } from '../resolve/derivedReferences.ts';
import { resolveGenerics } from '../resolve/generics.ts';
import { resolveRows } from '../resolve/owned.ts';
import { type Prefetched, resolveReferences } from '../resolve/references.ts';
import { RuleReads, runAllRules, runChecks } from './rules.ts';
import { checkUnique } from './unique.ts';
import { checkUniqueCustomFields } from './uniqueCustomFields.ts';

/** How drafts are completed. */
export interface ValidateOptions {
  single: boolean;
  prefetched?: Prefetched | undefined;
  /** Unique values are not checked here: storing the objects shows whether one is taken. */
  optimistic?: boolean;
}

/**
 * Completes drafts from the items: references, tags, custom fields, uniqueness, rules. @throws Refusal 400 with all
 * messages, as far as there are any without what is taken
 */
export async function validate(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  context: WriteContext,
  client: PoolClient,
  { single, prefetched, optimistic = false }: ValidateOptions,
): Promise<CustomFieldDefinitions> {
  const items = drafts.map((d) => d.item);
  const { who, importing } = context;
  const { definitions, fields } = await lookUpInImport(importing, items, async () => {
    await resolveReferences(engine, model, items, who, client, prefetched);
    await resolveRows(engine, model, items, who, client, prefetched);
    const definitions = await definitionsFor(engine, model, items, client);
    const fields = definitions.of(model.name);
    if (model.features.has('customFields')) await resolveCustomObjects(engine, fields, items, who, client, prefetched);
    return { definitions, fields };
  });
  await mapPaced(drafts, ({ item, object, before }) => {
    Object.assign(object, item.values);
    if (model.features.has('tags')) mergeTags(item, object);
    // The reference looks at custom fields only when every field by itself is in order.
    if (model.features.has('customFields') && !hasErrors(item)) {
      const merged = mergeCustomFields(fields, item, (before?.['custom_fields'] ?? null) as Dict | null, importing);
      if (merged) object['custom_fields'] = merged;
    }
  });
  const sayHalves = await lookUpInImport(importing, items, () =>
    resolveGenerics(engine, model, drafts, who, client, prefetched, importing),
  );
  if (model.features.has('tags'))
    await noteInImport(importing, items, () => checkTags(engine.tables, model, drafts, client));
  const reads = new RuleReads(engine, client, who, importing !== undefined);
  await noteInImport(importing, items, () => runAllRules(model.inputRules, drafts, reads));
  const sayTaken = optimistic ? undefined : await checkUnique(engine.tables, model, drafts, client);
  await noteInImport(importing, items, () => checkUniqueCustomFields(engine.tables, model, fields, drafts, client));
  const sound = drafts.filter(({ item }) => !hasErrors(item));
  await noteInImport(importing, items, () => runAllRules(model.rules, drafts, reads, context.prepared));
  await resolveDerived(engine, model, sound, client);
  sayHalves();
  await noteInImport(importing, items, () => runChecks(model, sound, reads.checkContext()));
  sayTaken?.();
  refuseErrors(items, single);
  if (uploadsOf(model).length) await keepFiles(engine, model, drafts, context, client);
  return definitions;
}

async function keepFiles(
  engine: WriteEngine,
  model: Model,
  drafts: Draft[],
  { files }: WriteContext,
  client: PoolClient,
): Promise<void> {
  if (!engine.files) throw new Error(`the service ${engine.tables.service} has no place for files`);
  await engine.files.keep(
    model,
    drafts.map(({ item, object }) => ({ object, given: item.values })),
    files ?? new Map(),
    client,
  );
}
