import { expect, test } from '@jest/globals';
import { ZipFile } from 'yazl';
import { BadZip, type FileLimits, isZip, unzipped } from './zip.ts';

const LIMITS: FileLimits = { files: 10, bytes: 1_000_000, ratio: 200 };
const here = new AbortController().signal;

async function zipOf(files: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { compress });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The fault of an archive, or the files in it. */
async function outcome(bytes: Buffer, limits: Partial<FileLimits> = {}): Promise<unknown> {
  try {
    return (await unzipped(bytes, { ...LIMITS, ...limits }, here)).map(({ path, bytes: all }) => [path, String(all)]);
  } catch (error) {
    if (error instanceof BadZip) return [error.text, error.said];
    throw error;
  }
}

/** Replaces a sequence of bytes wherever it occurs. */
const patched = (bytes: Buffer, from: Buffer, to: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) to.copy(copy, at);
  return copy;
};

test('an archive brings its files, and not what systems put beside them', async () => {
  const zip = await zipOf({
    'a/b.yaml': 'x: 1',
    'c.json': '{}',
    '__MACOSX/a': 'x',
    'a/.DS_Store': 'x',
    '.git/config': '',
  });
  expect(isZip(zip)).toBe(true);
  expect([isZip(Buffer.from('a: 1')), isZip(Buffer.from('PK'))]).toEqual([false, false]);
  expect(await outcome(zip)).toEqual([
    ['a/b.yaml', 'x: 1'],
    ['c.json', '{}'],
  ]);
});

test('what is in an archive inside stays packed', async () => {
  const inner = await zipOf({ 'a.yaml': 'x: 1' });
  const [[path] = []] = (await outcome(await zipOf({ 'inner.zip': inner }))) as string[][];
  expect(path).toBe('inner.zip');
});

test('too many files, too many bytes, and too much out of too little are refused before they are unpacked', async () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`${i}.yaml`, '']));
  expect(await outcome(await zipOf(many))).toEqual(['importFiles', { count: 10 }]);
  const long = await zipOf({ 'a.yaml': 'x'.repeat(60_000), 'b.yaml': 'x'.repeat(60_000) });
  expect(await outcome(long, { bytes: 100_000 })).toEqual(['importFilesSize', { count: 100_000 }]);
  const bomb = await zipOf({ 'a.yaml': Buffer.alloc(500_000) });
  expect(await outcome(bomb)).toEqual(['importZipRatio', { name: 'a.yaml', count: 200 }]);
});

test('what says that it is less than it is ends where it goes beyond', async () => {
  const zip = await zipOf({ 'a.yaml': Buffer.alloc(50_000, 'xyz') });
  const size = Buffer.alloc(4);
  size.writeUInt32LE(50_000);
  const less = Buffer.alloc(4);
  less.writeUInt32LE(10);
  expect(await outcome(patched(zip, size, less))).toEqual(['importZip', expect.anything()]);
});

test('names that lead elsewhere, encrypted files and what is no archive are refused', async () => {
  const zip = await zipOf({ 'aa/evil': 'x' });
  expect(await outcome(patched(zip, Buffer.from('aa/evil'), Buffer.from('../evil')))).toEqual([
    'importZipName',
    expect.anything(),
  ]);
  const locked = Buffer.from(zip);
  const head = locked.indexOf(Buffer.from('PK\x01\x02'));
  locked.writeUInt16LE(locked.readUInt16LE(head + 8) | 1, head + 8);
  expect(await outcome(locked)).toEqual(['importZipEncrypted', { name: 'aa/evil' }]);
  expect(await outcome(zip.subarray(0, zip.length - 30))).toEqual(['importZip', expect.anything()]);
  expect(await outcome(Buffer.from('PK\x03\x04 and nothing else'))).toEqual(['importZip', expect.anything()]);
});

test('nobody unpacks for who has left', async () => {
  const left = AbortSignal.abort();
  await expect(unzipped(await zipOf({ a: '' }), LIMITS, left)).rejects.toThrow();
});
