import { type Callable, splitKeywords } from './arguments.ts';
import type { Frame } from './scope.ts';
import { tuple } from './values.ts';

/** A `macro` or the body of a `call`, compiled. */
export interface MacroTag {
  name: string;
  /** The arguments with their defaults. */
  parameters: readonly (readonly [string, ((frame: Frame) => unknown) | null])[];
  /** Which of `varargs`, `kwargs` and `caller` its body names. */
  uses: readonly string[];
  body(frame: Frame): string;
}

/** What a template calls as a macro. Arguments are given by position or by name. */
export const macro =
  ({ name, parameters, uses, body }: MacroTag, parent: Frame): Callable =>
  (...args) => {
    const { positional, keywords: named } = splitKeywords(args);
    const keywords = new Map(Object.entries(named));
    const frame = parent.push();
    if (positional.length > parameters.length && !uses.includes('varargs'))
      throw new Error(`macro '${name}' takes not more than ${parameters.length} argument(s)`);
    parameters.forEach(([parameter, otherwise], i) => {
      if (i < positional.length && keywords.has(parameter))
        throw new Error(`macro '${name}' got multiple values for argument '${parameter}'`);
      const value = i < positional.length ? positional[i] : keywords.get(parameter);
      const given = i < positional.length || keywords.has(parameter);
      frame.set(parameter, given || !otherwise ? value : otherwise(frame));
      keywords.delete(parameter);
    });
    if (uses.includes('caller')) {
      frame.set('caller', keywords.get('caller'));
      keywords.delete('caller');
    }
    const [unknown] = keywords.keys();
    if (unknown !== undefined && !uses.includes('kwargs'))
      throw new Error(`macro '${name}' takes no keyword argument '${unknown}'`);
    frame.set('varargs', tuple(positional.slice(parameters.length)));
    frame.set('kwargs', Object.fromEntries(keywords));
    return body(frame);
  };
