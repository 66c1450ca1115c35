import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { GIF, PNG } from '@cadastre/rest/testing/images';
import type { Answer, Body, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const attachments = '/api/extras/image-attachments/';
const site = async (): Promise<Body> => {
  const slug = unique('site');
  return used.admin.make('/api/dcim/sites/', { name: slug, slug });
};

async function send(
  client: Client,
  method: string,
  path: string,
  values: Record<string, string | Buffer>,
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'Front view.png');
  const sent = new Response(form);
  return client.ask(method, path, {
    raw: new Uint8Array(await sent.arrayBuffer()),
    headers: { 'Content-Type': sent.headers.get('content-type')! },
  });
}
const attach = (id: number, image: Buffer, more: Record<string, string> = {}) =>
  send(used.admin, 'POST', attachments, { object_type: 'dcim.site', object_id: String(id), image, ...more });
const bytesAt = async (client: Client, url: string) => {
  const answer = await fetch(url, { headers: client.authorization ? { Authorization: client.authorization } : {} });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const kept = () => readdirSync(join(used.system.folder, 'media', 'image-attachments'));

test('an image is attached, measured and served', async () => {
  const there = await site();
  const { status, body, headers } = await attach(there.id, PNG, { name: 'photo' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    display: 'photo',
    object_type: 'dcim.site',
    object_id: there.id,
    parent: { id: there.id, name: there.name },
    name: 'photo',
    image_width: 1,
    image_height: 1,
    image_size: PNG.length,
    image: expect.stringMatching(
      new RegExp(`^${used.system.base}/media/image-attachments/site_${there.id}_photo_\\w+\\.png$`),
    ),
  });
  expect([headers.get('location'), headers.get('etag')]).toEqual([body.url, expect.any(String)]);
  const file = await bytesAt(used.admin, body.image);
  expect([
    file.status,
    file.bytes.equals(PNG),
    file.headers.get('content-type'),
    file.headers.get('x-content-type-options'),
  ]).toEqual([200, true, 'image/png', 'nosniff']);
  expect(await used.admin.read(`${attachments}${body.id}/?brief=1`)).toMatchObject({ image: body.image });
  expect(
    await used.admin.column(
      `${attachments}?object_type=dcim.site&object_id=${there.id}&image_width__lte=1&image_size__gt=10`,
      'id',
    ),
  ).toEqual([body.id]);
});

test('without a name it is called like its file', async () => {
  expect((await attach((await site()).id, PNG)).body).toMatchObject({
    name: '',
    display: expect.stringMatching(/^site_\d+_Front_view_\w+\.png$/),
  });
});

test('only an image of a thing that can have one is attached, and only by a form', async () => {
  const there = await site();
  expect(await attach(there.id, Buffer.from('hello'))).toMatchObject({
    status: 400,
    body: { image: ['Upload a valid image. The file you uploaded was either not an image or a corrupted image.'] },
  });
  expect(await attach(999_999_999, PNG)).toMatchObject({
    status: 400,
    body: { non_field_errors: ['Invalid parent object: DCIM > Site ID 999999999'] },
  });
  const tag = await used.admin.make('/api/extras/tags/', { name: unique(), slug: unique() });
  expect((await attach(tag.id, PNG, { object_type: 'extras.tag' })).body).toEqual({
    __all__: ['Image attachments cannot be assigned to this object type (extras.tag).'],
  });
  expect(
    (await used.admin.post(attachments, { object_type: 'dcim.site', object_id: there.id, image: 'file 0' })).body,
  ).toEqual({ image: ['The submitted data was not a file. Check the encoding type on the form.'] });
});

test('who may not see the attachment may not see the image', async () => {
  const { body } = await attach((await site()).id, PNG, { name: 'secret' });
  const { client: some } = await userWith(used.admin, {
    actions: ['view'],
    types: ['extras.imageattachment'],
    constraints: { name: 'secret' },
  });
  const { client: others } = await userWith(used.admin, {
    actions: ['view'],
    types: ['extras.imageattachment'],
    constraints: { name: 'public' },
  });
  expect(
    await Promise.all(
      [some, others, used.admin.as()].map(async (client) => (await bytesAt(client, body.image)).status),
    ),
  ).toEqual([200, 404, 403]);
  expect((await used.admin.get('/media/image-attachments/none.png')).status).toBe(404);
});

test('a file goes when another takes its place, and with its object', async () => {
  const there = await site();
  const { body } = await attach(there.id, PNG);
  const first = body.image.split('/').at(-1);
  expect(kept()).toContain(first);
  const changed = await send(used.admin, 'PATCH', `${attachments}${body.id}/`, { image: GIF });
  expect(changed.body).toMatchObject({
    image_width: 3,
    image_height: 2,
    image_size: GIF.length,
    image: expect.stringMatching(/\.gif$/),
  });
  await eventually(() => expect(kept()).not.toContain(first));
  expect((await used.admin.patch(`${attachments}${body.id}/`, { description: 'x' })).body).toMatchObject({
    image: changed.body.image,
    description: 'x',
  });
  await used.admin.delete(`/api/dcim/sites/${there.id}/`);
  await eventually(() => expect(kept()).not.toContain(changed.body.image.split('/').at(-1)));
  expect((await bytesAt(used.admin, changed.body.image)).status).toBe(404);
});
