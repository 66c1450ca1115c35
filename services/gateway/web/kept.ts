import type { Request } from 'express';
import busboy from 'busboy';
import { isKept } from '@cadastre/service/web';
import { arrivalOf } from '../arrival.ts';

/** What somebody had typed whose session was over when the form was sent. */
export interface Kept {
  /** The page that the form was for. */
  to: string;
  fields: [name: string, value: string][];
}

/** Whether a page of ours has sent a form: browsers say so, and no page elsewhere can. */
export function sentFromHere(req: Request): boolean {
  const { origin } = req.headers;
  return typeof origin === 'string' && origin !== 'null' && origin === URL.parse(arrivalOf(req).base)?.origin;
}

/** The fields of a form, files left out; undefined for what is none, or is larger than `most` bytes. */
export async function keptOf(req: Request, most: number): Promise<Kept | undefined> {
  const body = await bodyOf(req, most);
  const type = req.headers['content-type'] ?? '';
  const fields = !body
    ? undefined
    : /^application\/x-www-form-urlencoded\b/i.test(type)
      ? [...new URLSearchParams(body.toString('utf8'))]
      : /^multipart\/form-data\b/i.test(type)
        ? await partsOf(req, body)
        : undefined;
  return fields && { to: req.url, fields: fields.filter(([name]) => isKept(name)) };
}

/** All of a body is read, so that the client hears the answer; kept is no more than `most`. */
async function bodyOf(req: Request, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return size <= most ? Buffer.concat(chunks) : undefined;
}

function partsOf({ headers }: Request, body: Buffer): Promise<[string, string][] | undefined> {
  return new Promise((resolve) => {
    const fields: [string, string][] = [];
    try {
      busboy({ headers, defParamCharset: 'utf8' })
        .on('field', (name, value) => fields.push([name, value]))
        .on('file', (_name, stream) => stream.resume())
        .on('error', () => resolve(undefined))
        .on('close', () => resolve(fields))
        .end(body);
    } catch {
      resolve(undefined);
    }
  });
}

/** What a login form has brought along of it; undefined for anything else. */
export function keptIn(text: string | null): Kept | undefined {
  if (!text) return undefined;
  try {
    const { to, fields } = JSON.parse(text) as Partial<Kept>;
    const whole =
      typeof to === 'string' &&
      Array.isArray(fields) &&
      fields.every((one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'));
    return whole ? { to, fields } : undefined;
  } catch {
    return undefined;
  }
}
