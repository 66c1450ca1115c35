import { MAX_PARAMETERS } from './limits.ts';
import { refuse } from './refusal.ts';

/**
 * The parameters of an address, which are counted before any is read.
 * @param search without the question mark @throws Refusal 400 for too many
 */
export function readQuery(search: string, most: number = MAX_PARAMETERS): URLSearchParams {
  requireFew(search, most);
  return new URLSearchParams(search);
}

/** @throws Refusal 400 for an address with too many parameters */
export function requireFew(search: string, most: number = MAX_PARAMETERS): void {
  // A parameter takes two characters at least, with what separates it from the next.
  if (search.length < most) return;
  let seen = 1;
  for (let at = search.indexOf('&'); at >= 0; at = search.indexOf('&', at + 1))
    if (++seen > most) throw refuse(400, `A request may have at most ${most} parameters.`);
}
