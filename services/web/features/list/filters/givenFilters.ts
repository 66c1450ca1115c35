import { instantText, zoneIn } from '../../../ui/time/formTimes.ts';
import { lookupField, lookupSaid, parameterOf } from './lookup.ts';

const PREFIX = lookupField('');
const MOMENT = '_at.';

/** The name of an input for a time, which is in the time zone of the form. */
export const momentField = (name: string): string => MOMENT + name;

/**
 * The submitted filter form as parameters of a list. Empty inputs are left out, so that the address of the list is a
 * clean bookmark.
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
