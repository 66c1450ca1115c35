import type { Catalogue } from '@cadastre/model';
import { readerOf } from '../moving/reader.ts';
import { authorizationOf, systemWithToken } from '../system.ts';
import { apiSource } from './api.ts';
import { databaseSource } from './database/source.ts';
import type { Options } from './options.ts';
import type { Source } from './source.ts';

const DATABASE = /^postgres(ql)?:\/\//;

/** Where `--from` points: a database by its address, else an API. @throws Error that says what to give */
export async function sourceOf(
  { from, token: given, parallel, retries, media }: Pick<Options, 'from' | 'token' | 'parallel' | 'retries' | 'media'>,
  catalogue: Catalogue,
): Promise<Source> {
  if (DATABASE.test(from)) return databaseSource(from, { models: catalogue.models, media, connections: parallel });
  const { url, token } = systemWithToken(
    { url: from, token: given },
    { CADASTRE_TOKEN: process.env['CADASTRE_FROM_TOKEN'] },
    { url: '--from', token: '--token' },
  );
  const authorization = authorizationOf(token);
  return apiSource({
    reader: readerOf(url, { authorization, retries }),
    authorization,
    types: new Map([...catalogue.models.values()].map((model) => [`${model.app}/${model.path}`, model])),
    parallel,
    media,
  });
}
