import { fileURLToPath } from 'node:url';
import { languageCode } from '@cadastre/pages';
import nunjucks from 'nunjucks';
import { assets, scripts } from './assets.ts';
import { say } from './texts/say.ts';

const environment = new nunjucks.Environment(
  new nunjucks.FileSystemLoader(fileURLToPath(new URL('./templates', import.meta.url)), { noCache: false }),
  { autoescape: true, trimBlocks: true, lstripBlocks: true },
);
environment.addGlobal('say', say);
environment.addGlobal('scripts', scripts);
environment.addGlobal('asset', (name: string) => assets.get(name)?.path ?? '');

/** A page as HTML. Whatever data says is escaped. */
export const render = (view: string, data: Record<string, unknown>): string =>
  environment.render(`${view}.njk`, { language: languageCode(), ...data });
