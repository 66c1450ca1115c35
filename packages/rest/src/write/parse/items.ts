import { mapPaced } from '@cadastre/body';
import type { Json, Model, ParseContext } from '@cadastre/model';
import { invalid } from '../../core/errors.ts';
import type { GivenFiles } from '../../media/files.ts';
import type { WriteEngine } from '../context/engine.ts';
import { parseItem } from './parse.ts';
import { hasErrors, type Item, type Mode } from '../context/item.ts';

/** Parses bodies. Many of them take so long that other requests get their turn in between. */
export const parseItems = (
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  mode: Mode,
  files?: GivenFiles,
): Promise<Item[]> => {
  const context = parsing(engine, files);
  return mapPaced(bodies, (body, index) => parseItem(model, body, index, mode, context));
};

/** What parsing may ask of a service. */
export const parsing = (engine: WriteEngine, files?: GivenFiles): ParseContext => ({
  knowsObjectType: (name) => engine.catalogue.knows(name),
  ...(engine.seal ? { seal: engine.seal } : {}),
  ...(files ? { file: (value: string) => files.get(value) } : {}),
});

/** Errors as the client gets them: of the one object, or a list as long as the request. */
export function refuseErrors(items: Item[], single: boolean): void {
  if (items.some(hasErrors)) throw single ? invalid(items[0]!.errors) : invalid(items.map((i) => i.errors));
}
