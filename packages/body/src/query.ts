import { MAX_PARAMETERS } from './limits.ts';
import { type Refusal, refuse } from './refusal.ts';

const tooMany = (most: number): Refusal => refuse(400, `A request may have at most ${most} parameters.`);

/**
 * The parameters of an address, which are counted before any is read.
 * @param search without the question mark @throws Refusal 400 for too many
 */
export function readQuery(search: string, most: number = MAX_PARAMETERS): URLSearchParams {
  requireFew(search, most);
  const found = new URLSearchParams(search);
  if (found.size > most) throw tooMany(most);
  return found;
}

/** @throws Refusal 400 for an address with more separators than it may have parameters */
export function requireFew(search: string, most: number = MAX_PARAMETERS): void {
  if (search.length <= most) return;
  let seen = 0;
  for (let at = search.indexOf('&'); at >= 0; at = search.indexOf('&', at + 1)) if (++seen > most) throw tooMany(most);
}
