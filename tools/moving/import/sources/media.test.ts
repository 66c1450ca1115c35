import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mediaIn } from './media.ts';

test('files are read by their paths in the folder, and nothing beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'media-'));
  try {
    await mkdir(join(folder, 'media/devicetype-images'), { recursive: true });
    await writeFile(join(folder, 'media/devicetype-images/a b.png'), 'picture');
    await writeFile(join(folder, 'secret'), 'TEST-VALUE-DO-NOT-USE');
    const file = mediaIn(join(folder, 'media'));
    expect(await file('devicetype-images/a b.png')).toEqual(Buffer.from('picture'));
    for (const path of [
      '../secret',
      'devicetype-images/../../secret',
      join(folder, 'secret'),
      'no',
      'devicetype-images',
      '',
    ])
      expect(await file(path)).toBeUndefined();
    expect(await mediaIn(undefined)('devicetype-images/a b.png')).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
