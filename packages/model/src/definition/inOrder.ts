import type { Rule } from '../types/rule.ts';

/** Rules of which each is only asked when those before it had nothing to say. */
export const inOrder =
  (...rules: Rule[]): Rule =>
  async (object, context) => {
    for (const rule of rules) {
      const errors = await rule(object, context);
      if (errors && Object.keys(errors).length) return errors;
    }
    return undefined;
  };
