import { expect, test } from '@jest/globals';
import { created, filesIn, written } from './examples.ts';

const fields = {
  id: { type: 'integer', read_only: true },
  name: { type: 'string', required: true },
  status: { type: 'choice', required: true, choices: [{ value: 'planned' }, { value: 'active' }] },
  site: { type: 'nested object', required: true },
  count: { type: 'integer', read_only: true, required: true },
  comments: { type: 'string' },
  tags: { type: 'list' },
  image: { type: 'image upload', required: true },
  image_size: { type: 'image upload', read_only: true },
};

test('a new object has what it needs, and no more', () =>
  expect(created(fields)).toEqual({ name: '', status: 'planned', site: 1 }));

test('files are given beside the JSON', () => expect(filesIn(fields)).toEqual(['image']));

test('an object is written as the API takes it', () => {
  const object = {
    id: 7,
    url: 'http://x/api/a/bs/7/',
    display: 'n',
    name: 'n',
    status: { value: 'active', label: 'Active' },
    site: { id: 3, url: 'http://x/api/a/sites/3/', display: 's' },
    comments: '',
    tags: [{ id: 5, url: 'u', display: 't' }],
    count: 4,
    image: 'http://x/media/a.png',
  };
  expect(written(object, fields)).toEqual({ name: 'n', status: 'active', site: 3, comments: '', tags: [5] });
});
