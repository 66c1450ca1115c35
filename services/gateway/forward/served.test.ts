import { expect, test } from '@jest/globals';
import { Catalogue, model, text } from '@cadastre/model';
import { collectionsOf } from '@cadastre/service/collections';
import { router, routes } from './routes.ts';

const simple = (name: string, path: string) =>
  model(name, { path, label: path, ordering: ['name'], brief: ['name'], fields: { name: text({ max: 10 }) } });

test('a route for each model, at the service that owns it', () => {
  const find = router(
    routes(
      collectionsOf(
        new Catalogue([
          { service: 'dcim', models: [simple('dcim.site', 'sites')] },
          { service: 'extras', models: [simple('core.objectchange', 'object-changes'), simple('extras.tag', 'tags')] },
          { service: 'webhooks', models: [simple('extras.webhook', 'webhooks')] },
        ]),
      ),
    ),
  );
  expect(
    [
      '/api/dcim/sites/1/',
      '/api/extras/tags/',
      '/api/core/object-changes/',
      '/api/extras/object-changes/',
      '/api/extras/webhooks/',
      '/api/core/background-tasks/',
      '/api/ipam/vlans/',
    ].map((path) => find(path)?.service),
  ).toEqual(['dcim', 'extras', 'extras', 'extras', 'webhooks', 'webhooks', undefined]);
});
