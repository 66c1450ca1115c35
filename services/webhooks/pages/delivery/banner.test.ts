import { expect, test } from '@jest/globals';
import { html, type PageView } from '@cadastre/pages';
import { banner } from './banner.ts';

/** The banner above a list with this many successful deliveries. */
async function above(succeeded: number, query = ''): Promise<string> {
  const view = {
    api: {
      get: async (path: string) =>
        path.startsWith('/api/core/') ? { results: [{ finished_jobs: succeeded }] } : { count: 0 },
    },
    query: new URLSearchParams(query),
    csrfField: html``,
    may: async () => false,
    pageFor: (type: string) => `/of/${type}/`,
    choiceLabel: (label: string) => label,
    typeLabel: (type: string) => type,
  } as unknown as PageView;
  return String(await banner(view));
}

test('where nothing has been delivered yet it says what there has to be first', async () => {
  const empty = await above(0);
  expect(empty).toContain('<a href="/of/extras.eventrule/">event rules</a>');
  expect(empty).toContain('<a href="/of/extras.webhook/">webhook</a>');
});

test('where something has been, or filters find nothing, it does not', async () => {
  for (const text of [await above(1), await above(0, 'webhook_id=7'), await above(0, 'status=failed')])
    expect(text).not.toContain('extras.eventrule');
});
