import { z } from 'zod';
import { ConfigError } from './config-error.ts';

export { ConfigError } from './config-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
type Shape = Readonly<Record<string, z.ZodType>>;
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Name>;

/** The values of settings: the variable `MAX_PAGE_SIZE` is the property `maxPageSize`. */
export type SettingsOf<S extends Shape> = { readonly [Name in keyof S as Camel<Name & string>]: z.output<S[Name]> };

/**
 * Reads the settings that a service has of its own, declared by variable name with the kinds of setting-kinds.ts.
 * @throws ConfigError that names all wrong variables at once
 */
export function readSettings<S extends Shape>(shape: S, env: Environment): SettingsOf<S> {
  const { values, problems } = parseSettings(shape, env);
  if (!values) throw new ConfigError(problems);
  Object.freeze(values);
  return values;
}

/** The values, or what is wrong. An empty variable counts as absent, as compose files produce them. */
export function parseSettings<S extends Shape>(
  shape: S,
  env: Environment,
): { values?: SettingsOf<S>; problems: string[] } {
  const given = Object.fromEntries(Object.keys(shape).map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success) return { problems: [...new Set(parsed.error.issues.map(problem))] };
  return {
    values: Object.fromEntries(
      Object.entries(parsed.data).map(([name, value]) => [camel(name), value]),
    ) as SettingsOf<S>,
    problems: [],
  };
}

function problem(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  return issue.code === 'invalid_type' && issue.path.length === 1 && issue.message.includes('undefined')
    ? `${name} is required`
    : `${name} ${issue.message}`;
}

const camel = (name: string) => name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
