import { parseArgs } from 'node:util';

/** What is to be measured, and in which forms of the system one after the other. */
export interface Asked {
  parts: string[];
  /** One, or two that are compared. */
  forms: [string] | [string, string];
}

export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

/** The form that `npm start` chooses by the machine. */
const DEFAULT = 'default';

/**
 * `[--form <form>] [--against <form>] [part…]`; without parts all are measured. A form is what PROCESSES may be, or
 * `default`.
 * @throws WrongArguments
 */
export function parseArguments(args: string[], known: readonly string[], env: NodeJS.ProcessEnv): Asked {
  const { values, positionals } = parsed(args);
  const strange = positionals.find((name) => !known.includes(name));
  if (strange !== undefined) throw new WrongArguments(`There is no part ${strange}; there are ${known.join(', ')}.`);
  const form = formOf(values.form ?? (env['PROCESSES'] || DEFAULT));
  const against = values.against === undefined ? undefined : formOf(values.against);
  if (form === against) throw new WrongArguments(`Both forms are ${form}: name another with --form or --against.`);
  return {
    // In their own order, whatever the order in which they were named.
    parts: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
    forms: against === undefined ? [form] : [form, against],
  };
}

/** The environment in which a system is started in a form. */
export const environmentOf = (form: string): Record<string, string> => ({ PROCESSES: form === DEFAULT ? '' : form });

function parsed(args: string[]) {
  try {
    const options = { form: { type: 'string' }, against: { type: 'string' } } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new WrongArguments((error as Error).message);
  }
}

function formOf(text: string): string {
  if (text === DEFAULT || text === 'each' || /^[1-9]\d?$/.test(text)) return text;
  throw new WrongArguments(`A form is a number of processes, "each" or "${DEFAULT}", not ${text}.`);
}
