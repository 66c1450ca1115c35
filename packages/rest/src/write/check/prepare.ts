import type { Model, Values } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { type Action, allowed } from '../../core/requester.ts';
import { hasErrors, type Item } from '../context/item.ts';
import { facilityOf } from './rules.ts';
import type { WriteContext } from '../context/context.ts';

/**
 * Does what a model wants done before the transaction, one object after the other; not for users who may not write at
 * all, nor for objects that are invalid anyway.
 */
export async function runPrepare(
  engine: WriteEngine,
  model: Model,
  action: Action,
  items: () => Item[] | Promise<Item[]>,
  context: WriteContext,
): Promise<WriteContext> {
  if (!model.ahead || allowed(context.who.grants, action, model.name) === false) return context;
  const ahead: (Values | undefined)[] = [];
  for (const item of await items())
    ahead[item.index] = hasErrors(item)
      ? undefined
      : await model.ahead(item.values, { requester: context.who, service: (name) => facilityOf(engine, name) });
  return { ...context, prepared: ahead };
}
