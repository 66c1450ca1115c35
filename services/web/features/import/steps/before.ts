import { isDict, type Json, type Model } from '@cadastre/model';
import type { Api } from '@cadastre/pages';
import { spoken } from '../../../ui/texts/speaking.ts';
import type { Shown } from '../../../context/pageRequest.ts';
import type { Draft } from '../drafts/draft.ts';
import { askBy } from '../naming/references.ts';

/** The most by which two notations of the same time can differ, in milliseconds. */
const SAME_MOMENT = 1;

/**
 * Finds the objects that rows change by their id. The ids of an export (rows that have a display name) are those of the
 * exporting system, so a row creates an object if the id does not exist here or belongs to another object. Two objects
 * are the same if they were created at the same time or, if that is unknown, have the same display name.
 */
export async function findBefore(api: Api, model: Model, drafts: readonly Draft[]): Promise<void> {
  const named = drafts.filter(({ body }) => typeof body['id'] === 'number');
  if (!named.length) return;
  const ids = [...new Set(named.map(({ body }) => String(body['id'])))];
  const members = [
    'created',
    ...Object.entries(model.fields).flatMap(([name, { relation, generic, kind }]) =>
      relation || generic || kind === 'objectType' || /_id$/.test(name) ? [name] : [],
    ),
  ];
  const there = new Map((await askBy(api, model, 'id', ids, members)).map((one) => [one.id, one]));
  for (const draft of named) {
    const id = draft.body['id'] as number;
    const before = there.get(id);
    const exported = typeof draft.said['display'] === 'string';
    if (before && (!exported || isSame(draft, before))) draft.before = before;
    else if (exported) delete draft.body['id'];
    else draft.problems['id'] ??= spoken().texts('importNoObject', { id });
  }
}

function isSame({ said }: Draft, before: Shown): boolean {
  const [then, now] = [momentOf(said['created']), momentOf(before['created'])];
  return then !== undefined && now !== undefined
    ? Math.abs(then - now) <= SAME_MOMENT
    : plain(said['display']) === plain(before.display);
}

/** In a table, texts that look like formulas have a leading quote. */
const plain = (value: Json | undefined): string =>
  String(isDict(value) ? value['display'] : value).replace(/^'(?=[=+\-@])/, '');

function momentOf(value: Json | undefined): number | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
