import type { Model } from '@cadastre/model';
import { Refusal } from './errors.ts';
import type { Requester } from './requester.ts';

/** The code by which programs recognize this refusal. */
export const REAUTHENTICATION_REQUIRED = 'reauthentication_required';

/**
 * Somebody who sits down at a browser that another user has left open can do much, but touch neither secrets nor
 * rights: for those the user must have authenticated recently. A token authenticates each request anew.
 * @throws Refusal 403 with a code
 */
export function requireReauthentication({ provenUntil }: Pick<Requester, 'provenUntil'>): void {
  if (provenUntil !== undefined && provenUntil * 1000 <= Date.now())
    throw new Refusal(403, {
      detail: 'This needs a proof of who you are that is not as long ago as yours. Please prove it again.',
      code: REAUTHENTICATION_REQUIRED,
    });
}

/** The same, where the model says that its objects are secrets or rights. @throws Refusal 403 with a code */
export function requireReauthenticationFor(model: Pick<Model, 'confirms'>, who: Requester): void {
  if (model.confirms) requireReauthentication(who);
}
