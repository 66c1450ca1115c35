import { instantText, zoneIn } from '../../../ui/time/formTimes.ts';
import { lookupField, lookupSaid, parameterOf } from './lookup.ts';

const PREFIX = lookupField('');
const MOMENT = '_at.';

/** The field of the form in which a filter is given as clocks show it. */
export const momentField = (name: string): string => MOMENT + name;

/**
 * The filters that the form of filters says, as parameters of a list. What was left empty is not there, so that the
 * address of what one sees is one to keep.
 */
export function givenFilters(form: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams();
  const zone = zoneIn(form);
  for (const [field, text] of form) {
    const isMoment = field.startsWith(MOMENT);
    const name = isMoment ? field.slice(MOMENT.length) : field;
    const value = isMoment ? instantText(text.trim(), zone) : text;
    if (name.startsWith(PREFIX)) {
      const { suffix, value: implied } = lookupSaid(value);
      if (implied !== undefined) clean.append(parameterOf(name.slice(PREFIX.length), suffix), implied);
      continue;
    }
    if (name.startsWith('_') || name.startsWith('find.') || value.trim() === '') continue;
    const { suffix, value: implied } = lookupSaid(form.get(lookupField(name)) ?? '');
    if (implied === undefined) clean.append(parameterOf(name, suffix), value.trim());
  }
  return clean;
}
