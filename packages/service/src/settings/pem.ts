import { readFileSync } from 'node:fs';
import { ConfigError } from './read-settings.ts';

/**
 * Reads files in PEM form, by the variables that name them; variables without a file are left out.
 * @throws ConfigError that names the variables of unusable files
 */
export function readPem<Name extends string>(
  files: Readonly<Record<Name, string | undefined>>,
): Partial<Record<Name, string>> {
  const problems: string[] = [];
  const texts: Partial<Record<Name, string>> = {};
  for (const [variable, file] of Object.entries<string | undefined>(files)) {
    if (file === undefined) continue;
    try {
      const text = readFileSync(file, 'utf8');
      if (!text.includes('-----BEGIN ')) problems.push(`${variable} must name a file in PEM form`);
      texts[variable as Name] = text;
    } catch (error) {
      problems.push(`${variable} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  if (problems.length) throw new ConfigError(problems);
  return texts;
}
