import { type Config, loadConfig } from '../settings/config.ts';
import { ConfigError, type Environment } from '../settings/read-settings.ts';
import { environmentOf } from './settings.ts';

export interface Settings {
  readonly config: Config;
  readonly env: Environment;
}

/**
 * The settings of a process, and of each service in it.
 * @throws ConfigError that names all wrong variables at once, with the services for which they are wrong unless that is
 *   all of them
 */
export function configsOf(
  env: Environment,
  names: readonly string[],
): { config: Config; of: ReadonlyMap<string, Settings> } {
  const of = new Map<string, Settings>();
  const wrong = new Map<string, string[]>();
  for (const name of names) {
    const own = environmentOf(env, name, names);
    try {
      of.set(name, { config: loadConfig(own), env: own });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) wrong.set(problem, [...(wrong.get(problem) ?? []), name]);
    }
  }
  if (wrong.size)
    throw new ConfigError(
      [...wrong].map(([problem, whose]) =>
        whose.length === names.length ? problem : `${problem} (${whose.join(', ')})`,
      ),
    );
  return { config: names.length === 1 ? of.get(names[0]!)!.config : loadConfig(env), of };
}
