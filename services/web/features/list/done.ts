import type { Model } from '@cadastre/model';
import { pluralLabel, singularLabel } from '../../schema/labels.ts';
import { within } from '../../ui/texts/within.ts';
import type { TextName, Texts } from '../../ui/texts/texts.ts';
import { wayBack } from '../../ui/url/returnUrl.ts';
import { addressWith, selecting } from '../../ui/url/listQuery.ts';

const SAID: Readonly<Record<string, TextName>> = {
  edited: 'doneEdited',
  renamed: 'doneRenamed',
  deleted: 'doneDeleted',
};

/** The address to return to, or that of the list, with a parameter that says what was done to how many objects. */
export function doneAddress(
  home: string,
  query: URLSearchParams,
  what: 'edited' | 'renamed' | 'deleted',
  count: number,
) {
  const done = `${what}.${count}`;
  const back = wayBack(query);
  if (back !== undefined) return `${back}${back.includes('?') ? '&' : '?'}_done=${done}`;
  const next = selecting(query);
  next.set('_done', done);
  return addressWith(home, next);
}

/** The message for such a parameter; undefined if it is not one that we have written. */
export function doneText(query: URLSearchParams, texts: Texts, model: Model): string | undefined {
  const [, what = '', count = ''] = /^([a-z]+)\.(\d{1,9})$/.exec(query.get('_done') ?? '') ?? [];
  const name = SAID[what];
  if (!name) return undefined;
  return texts(name, { count, label: within(count === '1' ? singularLabel(model) : pluralLabel(model)) });
}
