import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { apiPath, type Dict, loadCatalogue } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import type { PageRequest } from '../../context/pageRequest.ts';
import { widgetsOf } from '../../schema/widgets.ts';
import { english } from '../../ui/texts/texts.ts';
import { found } from './reading/reading.ts';
import { importsFrom } from './reading/settings.ts';
import { importSeveral } from './several.ts';

const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', '..'));
const model = catalogue.get('dcim.manufacturer');
const columns = { model, catalogue, form: { own: widgetsOf(model, catalogue), tags: undefined, custom: [] } };
const { limits } = importsFrom({}, { maxBulkItems: 10_000, maxBodyBytes: 10 * 1024 * 1024 });

/**
 * An API that has manufacturers of some names, and accepts one portion of a file in each request. `wrote` is called
 * after each.
 */
function apiWith(taken: Set<string>, wrote: () => void) {
  return {
    get: async () => ({ count: 0, results: [], next: null }),
    async ask(method: string, path: string, { body }: { body: Dict[] }) {
      expect([method, path]).toEqual(['POST', apiPath(model)]);
      const errors = body.map(({ name }) =>
        typeof name !== 'string'
          ? { name: ['This field is required.'] }
          : taken.has(name)
            ? { name: ['manufacturer with this name already exists.'] }
            : {},
      );
      if (errors.some((one) => 'name' in one)) throw new HttpError(400, errors);
      for (const { name } of body) taken.add(String(name));
      wrote();
      return { body: body.map(({ name }) => ({ id: taken.size, url: '', display: String(name) })) };
    },
  };
}

/** Imports a file of 1,200 rows, which is three portions. */
async function importing(taken: Set<string>, wrote: () => void) {
  const rows = Array.from({ length: 1_200 }, (_, i) => `m${i},m-${i}`);
  const request = {
    user: { userId: 1 },
    api: apiWith(taken, wrote),
    catalogue,
    texts: english,
    gone: new AbortController().signal,
  } as unknown as PageRequest;
  return importSeveral(
    request,
    columns,
    [{ path: 'all.csv', bytes: Buffer.from(['name,slug', ...rows].join('\n')) }],
    { read: async (_user, reading) => found({ ...reading, limits }) },
    { dry: false, message: '', most: 10_000_000 },
    () => undefined,
  );
}

test('a file of which a portion is refused after others were written is imported in part', async () => {
  const taken = new Set<string>();
  let portions = 0;
  const [outcome] = await importing(taken, () => {
    // Every name was free when the file was checked; another user takes one of the second portion before that is
    // written.
    if (++portions === 1) taken.add('m700');
  });
  expect(outcome).toMatchObject({ path: 'all.csv', came: 'partly', madeMore: 480 });
  expect(outcome!.problems).toEqual([expect.objectContaining({ line: 702, field: 'name' })]);
  expect(outcome!.said).toContain('500');
  // The first portion stays, and nothing of the others is there.
  expect(taken.size).toBe(501);
});

test('a file that is refused before anything was written, and one that is written, are not', async () => {
  const [refused] = await importing(new Set(['m700']), () => undefined);
  expect(refused).toMatchObject({ came: 'there', made: [] });
  const all = new Set<string>();
  expect(await importing(all, () => undefined)).toMatchObject([{ came: 'fine', madeMore: 1_180 }]);
  expect(all.size).toBe(1_200);
});
