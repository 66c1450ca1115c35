import type { IncomingHttpHeaders } from 'node:http';
import { basename } from 'node:path/posix';
import { HttpError } from '@cadastre/service/errors';
import busboy from 'busboy';
import type { Given } from './visit.ts';

/** So many fields has a form at most: a bulk edit names its objects one by one. */
const MOST_FIELDS = 5_000;

/** Before a form has been read, or where there is none. */
export const nothingGiven = (): Given => ({ fields: new URLSearchParams(), files: new Map(), uploads: [] });

/** The fields and files of a form. @throws HttpError 400, 415 */
export async function readForm(headers: IncomingHttpHeaders, body: Buffer | undefined): Promise<Given> {
  const type = headers['content-type'] ?? '';
  if (!body) return nothingGiven();
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return { ...nothingGiven(), fields: new URLSearchParams(body.toString('utf8')) };
  if (/^multipart\/form-data\b/i.test(type)) return readParts(headers, body);
  throw new HttpError(415, { detail: 'A form is expected.' });
}

function readParts(headers: IncomingHttpHeaders, body: Buffer): Promise<Given> {
  const fields = new URLSearchParams();
  const files = new Map<string, { name: string; type: string; bytes: Buffer }>();
  const uploads: { field: string; name: string; type: string; bytes: Buffer }[] = [];
  const broken = new HttpError(400, { detail: 'The form is not complete.' });
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers, limits: { fields: MOST_FIELDS }, preservePath: true });
    parser
      .on('field', (name, value) => fields.append(name, value))
      .on('file', (field, stream, { filename, mimeType }) => {
        const chunks: Buffer[] = [];
        stream
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            if (!filename) return;
            const file = { type: mimeType, bytes: Buffer.concat(chunks) };
            files.set(field, { ...file, name: basename(filename) });
            uploads.push({ ...file, field, name: filename });
          });
      })
      .on('fieldsLimit', () => reject(new HttpError(413, { detail: `A form may have at most ${MOST_FIELDS} fields.` })))
      .on('error', () => reject(broken))
      .on('close', () => resolve({ fields, files, uploads }));
    parser.end(body);
  });
}
