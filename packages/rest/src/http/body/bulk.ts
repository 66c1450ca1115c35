import type { JsonOptions } from '@cadastre/body';
import type { Json } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { type Refusal, refuse } from '../../core/errors.ts';
import type { ApiRequest } from '../message/message.ts';

const tooMany = (most: number): Refusal => refuse(413, `A request may hold at most ${most} objects.`);

/** Options for reading a list of objects: it is refused once it holds more than one request may. */
export const bulk = ({ maxBulkItems: items }: Pick<Engine['settings'], 'maxBulkItems'>): JsonOptions => ({
  top: { items, refusal: () => tooMany(items) },
});

/**
 * The object of a request, or the list of them; undefined when the request holds none. @throws Refusal 413 for more
 * objects than one request may hold, and what reading the body throws
 */
export const bulkOf = async (
  { body }: Pick<ApiRequest, 'body'>,
  { settings }: Pick<Engine, 'settings'>,
): Promise<Json | undefined> => body?.json(bulk(settings));
