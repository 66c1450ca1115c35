import type { Model } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { moment } from '../../../schema/valueHtml.ts';
import type { Shown, PageRequest } from '../../../context/pageRequest.ts';
import type { FormField } from '../fields/fields.ts';
import { type Merged, merged, mergedFields, printsIn, printsText } from './merge.ts';
import { type Pick, picksIn } from './picks.ts';

/** The changes of two users to one object. */
interface Conflict {
  /** The changes that others have saved since the form was opened: the latest of each user, newest first. */
  by: Saved[];
  /** Fields that both have changed: the user has to choose. */
  both: (Merged & { pick: Pick })[];
  /** Fields that only the others have changed. */
  theirs: Merged[];
  /** Fields that were changed only in the form. */
  yours: Merged[];
  /** Secrets and files, which have to be entered again. */
  again: string[];
}

/** A form for an object that another user has saved in the meantime, merged from both versions. */
export interface MergedForm {
  fields: FormField[];
  /** The prints of the version that the form is now based on. */
  began: string;
  conflict: Conflict;
}

/**
 * Merges what was typed with what was saved in the meantime. Nothing that was typed is lost: a field that both have
 * changed keeps the typed value, with the other version and a choice beside it.
 */
export async function mergedForm(
  request: PageRequest,
  model: Model,
  id: number,
  yours: readonly FormField[],
  theirs: readonly FormField[],
): Promise<MergedForm> {
  const { fields: given, files } = request.submitted;
  const picks = picksIn(given);
  const all = merged(printsIn(given.get('_began') ?? ''), yours, theirs, new Set(picks.keys()));
  const of = (whose: Merged['whose']) => all.filter((one) => one.whose === whose);
  return {
    fields: mergedFields(all, yours, theirs),
    began: printsText(theirs),
    conflict: {
      by: await savedSince(request, model, id, given.get('_opened') ?? ''),
      both: of('both').map((one) => ({ ...one, pick: picks.get(one.name) ?? 'yours' })),
      theirs: of('theirs'),
      yours: of('yours'),
      again: yours.flatMap(({ kind, name, label }) =>
        (kind === 'secret' && given.get(name)) || (kind === 'file' && files.has(name)) ? [label] : [],
      ),
    },
  };
}

/** One saved change. */
interface Saved {
  user: string;
  moment: ReturnType<typeof moment>;
  message: string;
}

/** How many changes are read at most. */
const LOOKED_AT = 50;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Who has changed an object since a time, or who changed it last if the time is unknown; empty for a user who may not
 * see the change log.
 */
async function savedSince({ api }: PageRequest, model: Model, id: number, opened: string): Promise<Saved[]> {
  const about = `/api/core/object-changes/?changed_object_type=${model.name}&changed_object_id=${id}&ordering=-time`;
  const changes = async (more: string) =>
    (await api.get<Listed<Shown & { user_name: string; time: string; message: string }>>(`${about}${more}`)).results;
  try {
    const since = TIME.test(opened) ? await changes(`&time_after=${opened}&limit=${LOOKED_AT}`) : [];
    const found = since.length ? since : await changes('&limit=1');
    return [...Map.groupBy(found, (change) => change.user_name).values()]
      .map(([last]) => last!)
      .map(({ user_name: user, time, message }) => ({ user, moment: moment(time), message: message ?? '' }));
  } catch (error) {
    if (error instanceof HttpError) return [];
    throw error;
  }
}
