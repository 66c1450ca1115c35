import type { Rule } from '../types/rule.ts';

/** Runs rules one after the other and stops at the first that finds errors. */
export const inOrder =
  (...rules: Rule[]): Rule =>
  async (object, context) => {
    for (const rule of rules) {
      const errors = await rule(object, context);
      if (errors && Object.keys(errors).length) return errors;
    }
    return undefined;
  };
