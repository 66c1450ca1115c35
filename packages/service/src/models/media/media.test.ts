import { createServer, type IncomingMessage, type Server } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MediaStore } from '@cadastre/rest';
import { diskStore } from './disk.ts';
import { s3Store } from './s3.ts';

/** A store of files as S3 has them, in memory: it answers requests that are signed for it, and nothing else. */
function bucket() {
  const objects = new Map<string, { bytes: Buffer; type: string }>();
  const seen: IncomingMessage[] = [];
  let failing = 0;
  const server: Server = createServer(async (request, response) => {
    seen.push(request);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url = '', headers } = request;
    const answer = (status: number, body: Buffer | string = '') => {
      response.statusCode = status;
      response.end(body);
    };
    if (failing > 0) {
      failing--;
      return answer(503, '<Error><Code>SlowDown</Code></Error>');
    }
    if (
      !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/here\/s3\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$/.test(
        headers.authorization ?? '',
      )
    )
      return answer(403, '<Error><Code>AccessDenied</Code></Error>');
    if (!url.startsWith('/box/')) return answer(404);
    if (url.startsWith('/box/moved/')) {
      response.setHeader('Location', '/box/elsewhere');
      return answer(307);
    }
    if (method === 'PUT') {
      objects.set(url, { bytes: Buffer.concat(chunks), type: String(headers['content-type']) });
      return answer(200);
    }
    if (method === 'DELETE') {
      objects.delete(url);
      return answer(204);
    }
    const found = objects.get(url);
    if (!found) return answer(404, '<Error><Code>NoSuchKey</Code></Error>');
    response.setHeader('Content-Type', found.type);
    return answer(200, found.bytes);
  });
  return {
    objects,
    seen,
    server,
    fail: (times: number) => {
      failing = times;
    },
    listen: () =>
      new Promise<string>((done) => {
        server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
      }),
  };
}

const s3 = bucket();
let folder: string;
let stores: Record<string, MediaStore>;
let base: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'));
  base = await s3.listen();
  stores = {
    disk: diskStore(folder),
    s3: s3Store({ url: `${base}/box`, region: 'here', accessKey: 'key', secretKey: 'secret', timeoutMs: 2_000 }),
  };
});
afterAll(async () => {
  s3.server.closeAllConnections();
  s3.server.close();
  await rm(folder, { recursive: true });
});

describe.each(['disk', 's3'])('files in %s', (name) => {
  const read = async (path: string) => {
    const file = await stores[name]!.get(path);
    return file && { size: file.size, bytes: Buffer.concat((await file.stream.toArray()) as Buffer[]) };
  };
  test('are there from when they are put until they are removed', async () => {
    const bytes = Buffer.from([0, 1, 255, 10]);
    expect(await read('photos/a.png')).toBeUndefined();
    await stores[name]!.put('photos/a.png', bytes, 'image/png');
    expect(await read('photos/a.png')).toEqual({ size: 4, bytes });
    await stores[name]!.remove('photos/a.png');
    expect(await read('photos/a.png')).toBeUndefined();
    await stores[name]!.remove('photos/a.png');
  });
});

describe('on disk', () => {
  test('nothing is reached outside the folder', async () => {
    for (const path of ['../x', '/etc/passwd', 'a/../../x', '']) {
      await expect(stores['disk']!.put(path, Buffer.from('x'), '')).rejects.toThrow('outside');
      await expect(stores['disk']!.get(path)).rejects.toThrow('outside');
      await expect(stores['disk']!.remove(path)).rejects.toThrow('outside');
    }
  });
  test('a file that could not be written leaves nothing behind', async () => {
    await stores['disk']!.put('x/a', Buffer.from('x'), '');
    await expect(stores['disk']!.put('x/a/b', Buffer.from('x'), '')).rejects.toThrow();
    expect(await readdir(join(folder, 'x'))).toEqual(['a']);
  });
});

describe('in a bucket', () => {
  test('files keep their media type', async () => {
    await stores['s3']!.put('photos/b.png', Buffer.from('x'), 'image/png');
    expect(s3.objects.get('/box/photos/b.png')!.type).toBe('image/png');
  });
  test('a store that is slow for a moment is asked again', async () => {
    s3.fail(1);
    await stores['s3']!.put('photos/c.png', Buffer.from('x'), 'image/png');
    expect(s3.objects.has('/box/photos/c.png')).toBe(true);
  });
  test('a store that sends to another place is not followed there', async () => {
    await stores['s3']!.put('elsewhere', Buffer.from('x'), 'image/png');
    await expect(stores['s3']!.get('moved/a')).rejects.toThrow('answered GET moved/a with 307');
    expect(s3.seen.at(-1)!.url).toBe('/box/moved/a');
  });
  test('a store that refuses, or has no such bucket, is told of', async () => {
    const wrong = (o: object) =>
      s3Store({ url: `${base}/box`, region: 'here', accessKey: 'other', secretKey: 'secret', timeoutMs: 2_000, ...o });
    await expect(wrong({}).get('a')).rejects.toThrow('answered GET a with 403: <Error><Code>AccessDenied');
    await expect(wrong({ accessKey: 'key', url: `${base}/none` }).put('a', Buffer.from('x'), '')).rejects.toThrow(
      'does not exist',
    );
  });
});
