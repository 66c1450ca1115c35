import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of Cadastre that runs here; that of its API is another. */
export const productVersion = version;
