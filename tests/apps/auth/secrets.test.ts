import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const webhooks = '/api/extras/webhooks/';

test('the secret of a webhook is shown nowhere, cannot be found by trying, and stays when its mask is sent back', async () => {
  const name = unique('hook');
  const secret = `s3cr3t-${unique()}`;
  const made = await used.admin.make(webhooks, { name, payload_url: 'http://127.0.0.1:9/', secret });
  expect(made.secret).toBe('********');
  for (const lookup of ['secret', 'secret__isw', 'secret__ic', 'secret__regex']) {
    expect([
      lookup,
      await used.admin.column(
        `${webhooks}?name=${name}&${lookup}=${secret.slice(0, lookup === 'secret' ? undefined : 4)}`,
      ),
    ]).toEqual([lookup, []]);
  }
  expect(await used.admin.column(`${webhooks}?name=${name}&secret__empty=false`)).toEqual([name]);
  const patched = await used.admin.patch(`${webhooks}${made.id}/`, { secret: '********', description: 'as it was' });
  expect([patched.status, patched.body.secret]).toEqual([200, '********']);
  expect(await used.admin.column(`${webhooks}?name=${name}&secret__empty=false`)).toEqual([name]);
  await eventually(async () => {
    const changes = await used.admin.get(
      `/api/extras/object-changes/?changed_object_type=extras.webhook&changed_object_id=${made.id}`,
    );
    expect(changes.body.count).toBe(2);
    expect(changes.text).not.toContain(secret);
  });
  expect((await used.admin.patch(`${webhooks}${made.id}/`, { secret: '' })).body.secret).toBe('');
});
