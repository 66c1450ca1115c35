import type { Model } from '@cadastre/model';
import { pluralLabel, singularLabel, within } from '../model/labels.ts';
import type { TextName, Texts } from '../texts/texts.ts';
import { addressWith } from './address.ts';

const SAID: Readonly<Record<string, TextName>> = {
  edited: 'doneEdited',
  renamed: 'doneRenamed',
  deleted: 'doneDeleted',
};

/** The address of a list that says what has just been done to how many of its objects. */
export function doneAddress(
  home: string,
  query: URLSearchParams,
  what: 'edited' | 'renamed' | 'deleted',
  count: number,
) {
  const next = new URLSearchParams(query);
  next.set('_done', `${what}.${count}`);
  return addressWith(home, next);
}

/** What an address says has been done; nothing for what we have not written there. */
export function doneText(query: URLSearchParams, texts: Texts, model: Model): string | undefined {
  const [, what = '', count = ''] = /^([a-z]+)\.(\d{1,9})$/.exec(query.get('_done') ?? '') ?? [];
  const name = SAID[what];
  if (!name) return undefined;
  return texts(name, { count, label: within(count === '1' ? singularLabel(model) : pluralLabel(model)) });
}
