import { isResubmittable } from '@cadastre/service/web';
import type { Model } from '@cadastre/model';
import type { PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Where that is done: at the gateway. */
const REAUTHENTICATE = '/reauthenticate/';

/** More than this does not travel along, in characters. */
const LONGEST = 40_000;

const addressOf = ({ path, query }: PageRequest): string => (query.size ? `${path}?${query}` : path);

/** Leads there with what was filled in, which goes on from there. */
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

/** A form that is filled in takes a while. */
const AHEAD_SECONDS = 120;
const FORMS: ReadonlySet<string> = new Set(['add', 'edit', 'delete', 'rename', 'import']);

/**
 * Where to go before a form is filled in that would be refused when it is sent: what is secret in it would have to be
 * typed once more.
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
