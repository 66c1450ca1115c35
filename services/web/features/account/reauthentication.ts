import { isResubmittable } from '@cadastre/service/web';
import type { Model } from '@cadastre/model';
import type { PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** The page of the gateway on which users authenticate again. */
const REAUTHENTICATE = '/reauthenticate/';

/** The longest form that is carried through the re-authentication, in characters. */
const LONGEST = 40_000;

const addressOf = ({ path, query }: PageRequest): string => (query.size ? `${path}?${query}` : path);

/** Asks the user to authenticate again and keeps the form, which is then sent again. */
export function reauthenticationPage(request: PageRequest): Answer {
  const to = addressOf(request);
  const fields = [...request.submitted.fields].filter(([name]) => isResubmittable(name));
  const kept = JSON.stringify({ to, fields });
  return {
    view: 'reauthenticate',
    title: request.texts('proofNeeded'),
    status: 403,
    data: { action: REAUTHENTICATE, next: to, kept: fields.length && kept.length <= LONGEST ? kept : undefined },
  };
}

/** Time for filling in the form: the proof has to last at least this much longer. */
const AHEAD_SECONDS = 120;
const FORMS: ReadonlySet<string> = new Set(['add', 'edit', 'delete', 'rename', 'import']);

/**
 * Where to authenticate before a form is filled in, if the form would be refused when it is sent: secrets are not kept,
 * and would have to be typed again.
 */
export function reauthenticationBefore(
  request: PageRequest,
  model: Model,
  rest: readonly string[],
): Answer | undefined {
  const { provenUntil } = request.user;
  if (!model.confirms || provenUntil === undefined || request.partial || !FORMS.has(rest.at(-1) ?? ''))
    return undefined;
  return provenUntil - AHEAD_SECONDS > Date.now() / 1000
    ? undefined
    : { to: `${REAUTHENTICATE}?next=${encodeURIComponent(addressOf(request))}` };
}
