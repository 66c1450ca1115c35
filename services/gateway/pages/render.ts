import { fileURLToPath } from 'node:url';
import nunjucks from 'nunjucks';
import { assets } from './assets.ts';

const environment = new nunjucks.Environment(
  new nunjucks.FileSystemLoader(fileURLToPath(new URL('./templates', import.meta.url)), { noCache: false }),
  { autoescape: true, trimBlocks: true, lstripBlocks: true },
);
environment.addGlobal('asset', (name: string) => assets.get(name)?.path ?? '');
environment.addFilter('moment', moment);
environment.addFilter('pretty', (text: unknown) => pretty(typeof text === 'string' ? text : JSON.stringify(text)));
environment.addFilter('duration', duration);
environment.addFilter('thousands', (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en') : ''));

/** A page as HTML. Whatever data says is escaped. */
export const render = (view: string, data: Record<string, unknown>): string => environment.render(`${view}.njk`, data);

/** `2026-11-21 14:03:07` of `2026-11-21T14:03:07.123456Z`. */
export function moment(value: unknown): string {
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, '$1 $2') : '';
}

/** JSON set out over several lines; anything else as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function duration(ms: unknown): string {
  if (typeof ms !== 'number') return '';
  return ms < 1_000
    ? `${ms} ms`
    : ms < 60_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
