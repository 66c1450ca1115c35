import { isMultipart } from '@cadastre/body';
import { type Dict, isDict, type Json, type Model } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { invalid } from '../../core/errors.ts';
import type { ApiRequest } from '../message/message.ts';
import { type GivenFiles, uploadsOf } from '../../media/files.ts';
import { bulk, bulkOf } from './bulk.ts';
import { formOf } from './form.ts';

/** The part of a form that holds the document; the other parts are its files. */
const PART = 'document';

/**
 * Documents of a request: JSON, or a form with the JSON of one document or of a list as `document`, and the files by
 * the names of their fields; for a list, after the position of the document and a dot: `0.front_image`.
 * @throws Refusal 400, 415
 */
export async function documentIn(
  request: Pick<ApiRequest, 'body'>,
  model: Model,
  settings: Engine['settings'],
): Promise<{ body: Json | undefined; files?: GivenFiles }> {
  const { body } = request;
  if (!body || !isMultipart(body.type)) return { body: unflagged(model, await bulkOf(request, { settings })) };
  const { body: parts = {}, files } = await formOf(body, model, settings.maxFileBytes);
  const text = parts[PART];
  const given = typeof text === 'string' && text !== '' ? await body.readJsonIn(text, bulk(settings)) : undefined;
  const document = unflagged(model, given);
  const filesOf = (prefix: string): Dict =>
    Object.fromEntries(
      uploadsOf(model).flatMap(([name]): [string, Json][] => {
        const file = parts[prefix + name];
        return file === undefined ? [] : [[name, file]];
      }),
    );
  if (isDict(document)) return { body: { ...document, ...filesOf('') }, files };
  if (!Array.isArray(document)) throw invalid({ [PART]: ['A document is expected here, as JSON, or a list of some.'] });
  return { body: document.map((one, at) => (isDict(one) ? { ...one, ...filesOf(`${at}.`) } : one)), files };
}

/** In the public library, `front_image: true` says that there is a picture somewhere; that is not a file. */
function unflagged(model: Model, body: Json | undefined): Json | undefined {
  const flags = uploadsOf(model).map(([name]) => name);
  const without = (one: Json): Json =>
    isDict(one)
      ? Object.fromEntries(
          Object.entries(one).filter(([name, value]) => typeof value !== 'boolean' || !flags.includes(name)),
        )
      : one;
  return Array.isArray(body) ? body.map(without) : body === undefined ? undefined : without(body);
}
