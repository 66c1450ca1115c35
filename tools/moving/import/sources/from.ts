import type { Catalogue } from '@cadastre/model';
import { readerOf } from '../../reader.ts';
import { authorizationOf, systemWithToken } from '../../../command/system.ts';
import { accountsInFile } from './accounts/file.ts';
import { withAccounts } from './accounts/joined.ts';
import { apiSource } from './api.ts';
import { databaseSource } from './database/source.ts';
import type { Options } from '../options.ts';
import type { Source } from './source.ts';

/** Whether an address is that of a database. */
export const isDatabase = (from: string): boolean => /^postgres(ql)?:\/\//.test(from);

type Wanted = Pick<Options, 'from' | 'token' | 'parallel' | 'retries' | 'maxAnswer' | 'media'> & {
  accounts?: string | undefined;
};

/**
 * Where `--from` points: a database by its address, else an API. A database includes the accounts; for an API they are
 * added from a file.
 * @throws Error that says what to give
 */
export async function sourceOf(options: Wanted, catalogue: Catalogue): Promise<Source> {
  const { from, parallel, media, accounts } = options;
  if (isDatabase(from)) {
    const database = await databaseSource(from, { models: catalogue.models, media, connections: parallel });
    return withAccounts(database, accounts === undefined ? database.accounts : () => accountsInFile(accounts));
  }
  const api = overApi(options, catalogue);
  return accounts === undefined ? api : withAccounts(api, () => accountsInFile(accounts));
}

function overApi(
  { from, token: given, parallel, retries, maxAnswer: maxBytes, media }: Wanted,
  catalogue: Catalogue,
): Source {
  const { url, token } = systemWithToken(
    { url: from, token: given },
    { CADASTRE_TOKEN: process.env['CADASTRE_FROM_TOKEN'] },
    { url: '--from', token: '--token' },
  );
  return apiSource({
    reader: readerOf(url, { authorization: authorizationOf(token), retries, maxBytes }),
    types: new Map([...catalogue.models.values()].map((model) => [`${model.app}/${model.path}`, model])),
    parallel,
    media,
  });
}
