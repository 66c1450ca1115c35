import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { START } from '../tools/testing/fresh-system.ts';

/** What is to be measured, and in which forms of the system one after the other. */
export interface Asked {
  parts: string[];
  /** One form, or two to be compared. */
  forms: [string] | [string, string];
  /** Folder of another version for the second form to run; undefined when both forms run this version. */
  checkout?: string;
}

export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

/** The form that `npm start` chooses by the machine. */
const DEFAULT = 'default';

/**
 * `[--form <form>] [--against <form> [--checkout <folder>]] [part…]`; without parts all are measured. A form is a value
 * of PROCESSES, or `default`.
 * @throws WrongArguments
 */
export function parseArguments(args: string[], known: readonly string[], env: NodeJS.ProcessEnv): Asked {
  const { values, positionals } = parsed(args);
  const strange = positionals.find((name) => !known.includes(name));
  if (strange !== undefined) throw new WrongArguments(`There is no part ${strange}; there are ${known.join(', ')}.`);
  const form = formOf(values.form ?? (env['PROCESSES'] || DEFAULT));
  const against = values.against === undefined ? undefined : formOf(values.against);
  const { checkout } = values;
  if (checkout !== undefined && against === undefined)
    throw new WrongArguments('Say with --against in which form the other version is to run.');
  if (checkout !== undefined && !existsSync(join(checkout, START)))
    throw new WrongArguments(`There is no version of this system at ${checkout}.`);
  if (form === against && checkout === undefined)
    throw new WrongArguments(`Both forms are ${form}: name another with --form or --against.`);
  return {
    // In their own order, whatever the order in which they were named.
    parts: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
    forms: against === undefined ? [form] : [form, against],
    ...(checkout === undefined ? {} : { checkout: resolve(checkout) }),
  };
}

/** The environment in which a system is started in a form. */
export const environmentOf = (form: string): Record<string, string> => ({ PROCESSES: form === DEFAULT ? '' : form });

function parsed(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { form: text, against: text, checkout: text };
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new WrongArguments((error as Error).message);
  }
}

function formOf(text: string): string {
  if (text === DEFAULT || text === 'each' || /^[1-9]\d?$/.test(text)) return text;
  throw new WrongArguments(`A form is a number of processes, "each" or "${DEFAULT}", not ${text}.`);
}
