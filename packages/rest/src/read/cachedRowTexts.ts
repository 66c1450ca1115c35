import type { Model } from '@cadastre/model';
import type { Requester } from '../core/requester.ts';
import type { RowTextRegion } from '../serialize/rowTextCache.ts';
import type { Writer } from '../serialize/writer.ts';
import type { ReadEngine } from './engine.ts';

/** The texts of a model's objects that are remembered, where objects look the same to everybody who may see them. */
export const cachedRowTexts = (
  engine: Pick<ReadEngine, 'rowTexts'>,
  model: Model,
  { grants }: Requester,
  writer: Writer,
  base: string,
): RowTextRegion | undefined =>
  !model.about || grants.superuser ? engine.rowTexts.of(model, writer, base) : undefined;
