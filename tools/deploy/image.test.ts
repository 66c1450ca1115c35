import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

const dockerfile = readFileSync('Dockerfile', 'utf8');
/** What the last stage copies from the sources. */
const copied = dockerfile
  .slice(dockerfile.lastIndexOf('\nFROM '))
  .split('\n')
  .flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
const isCopied = (file: string): boolean => copied.some((one) => file === one || file.startsWith(`${one}/`));

/** Our files that a program loads; type-only imports are not loaded. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, types, from, later] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)( type)? [^;]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
  ))
    if (!types) loadedBy(normalize(join(dirname(file), (from ?? later)!)), seen);
  return seen;
}

test.each(['tools/moving/import/main.ts', 'tools/moving/compare/main.ts', 'tools/admin/main.ts'])(
  'the image has all that %s loads',
  (program) => {
    const loaded = [...loadedBy(program)];
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((file) => !isCopied(file))).toEqual([]);
  },
);
