import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { MediaStore } from '@cadastre/rest';
import { AwsClient } from 'aws4fetch';

export interface S3Options {
  /** Address of the bucket, in path style. */
  url: string;
  region: string;
  accessKey: string;
  secretKey: string;
  timeoutMs: number;
}

/** How often a request that the store could not answer is retried. */
const RETRIES = 2;

/** Files in a bucket of an S3-compatible store. */
export function s3Store({ url, region, accessKey, secretKey, timeoutMs }: S3Options): MediaStore {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    region,
    service: 's3',
    retries: RETRIES,
  });
  const ask = async (
    method: string,
    path: string,
    more: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const response = await client.fetch(`${url}/${path}`, {
      method,
      ...more,
      // Requests go to the configured store only; redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok || response.status === 404) return response;
    const said = (await response.text()).slice(0, 500);
    throw new Error(`the store of files answered ${method} ${path} with ${response.status}: ${said}`);
  };
  return {
    async put(path, bytes, type) {
      const response = await ask('PUT', path, {
        body: new Uint8Array(bytes),
        headers: { 'Content-Type': type, 'Content-Length': String(bytes.length) },
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error('the bucket of files does not exist');
    },
    async get(path) {
      const response = await ask('GET', path);
      if (response.status === 404 || !response.body) {
        await response.body?.cancel();
        return undefined;
      }
      return {
        stream: Readable.fromWeb(response.body as ReadableStream),
        size: Number(response.headers.get('content-length')),
      };
    },
    async remove(path) {
      await (await ask('DELETE', path)).body?.cancel();
    },
  };
}
