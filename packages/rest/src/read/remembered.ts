import type { Model } from '@cadastre/model';
import type { Requester } from '../core/requester.ts';
import type { Shelved } from '../serialize/rowTexts.ts';
import type { Writer } from '../serialize/writer.ts';
import type { ReadEngine } from './engine.ts';

/** The texts of a model's objects that are remembered, where objects look the same to everybody who may see them. */
export const rememberedTexts = (
  engine: Pick<ReadEngine, 'texts'>,
  model: Model,
  { grants }: Requester,
  writer: Writer,
  base: string,
): Shelved | undefined => (!model.about || grants.superuser ? engine.texts.of(model, writer, base) : undefined);
