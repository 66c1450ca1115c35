import type { Json } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { type Refusal, refuse } from '../errors.ts';
import type { ApiRequest } from '../http.ts';

const tooMany = (most: number): Refusal => refuse(413, `A request may hold at most ${most} objects.`);

/**
 * The object of a request, or the list of them; undefined where it holds nothing. Nothing is read beyond as many objects
 * as one request may hold. @throws Refusal 413 for more, and as the body
 */
export const bulkOf = async (
  { body }: Pick<ApiRequest, 'body'>,
  { settings: { maxBulkItems: items } }: Pick<Engine, 'settings'>,
): Promise<Json | undefined> => body?.json({ top: { items, refusal: () => tooMany(items) } });
