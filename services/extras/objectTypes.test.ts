import { expect, test } from '@jest/globals';
import { Catalogue, typeId } from '@cadastre/model';
import { createTestDatabase } from '../../tools/testing/servers/postgres.ts';
import pg from 'pg';
import { site } from '../dcim/models/places/site.ts';
import { describe as described, keepObjectTypes } from './objectTypes.ts';
import { tag } from './models/tag.ts';

test('types are listed once, as they are, and no longer when they are gone', async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  try {
    await pool.query(`create table core_objecttype (id bigint primary key, app_label text, app_name text, model text, model_name text, model_name_plural text, public boolean, features varchar(50)[], rest_api_endpoint text, title text, _version int default 1);
      create table cache_invalidation (type int, id bigint); insert into core_objecttype (id, app_label, model) values (5, 'old', 'thing')`);
    const catalogue = new Catalogue([{ service: 'x', models: [site, tag] }]);
    const rows = async () =>
      (await pool.query('select title, features, rest_api_endpoint, id::int as id from core_objecttype order by title'))
        .rows;
    await keepObjectTypes(catalogue, pool);
    expect(await rows()).toMatchObject([
      { title: 'DCIM > Site', id: typeId('dcim.site'), rest_api_endpoint: '/api/dcim/sites/' },
      { title: 'Extras > Tag', features: ['change_logging', 'cloning', 'event_rules', 'export_templates'] },
    ]);
    const touched = async () => Number((await pool.query('select count(*) from cache_invalidation')).rows[0].count);
    const before = await touched();
    await keepObjectTypes(catalogue, pool);
    expect(await touched()).toBe(before);
    await keepObjectTypes(new Catalogue([{ service: 'x', models: [tag] }]), pool);
    expect(await rows()).toHaveLength(1);
  } finally {
    await pool.end();
    await database.drop();
  }
});

test('features have the names of the reference', () => {
  expect(described(site).features).toContain('image_attachments');
});
