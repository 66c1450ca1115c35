import busboy from 'busboy';
import type { FormLimits } from '../limits.ts';
import { paced } from '../pace.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { type Field, nameTooLong, tooManyFields } from './urlencoded.ts';

/** A file of a form. Its bytes have memory of their own. */
interface FilePart {
  field: string;
  /** Its name; empty where no file was chosen. */
  name: string;
  /** Its path within the folder that was chosen. */
  path: string;
  type: string;
  bytes: Buffer;
}

export interface Form {
  fields: Field[];
  files: FilePart[];
}

/** Lines of headers that one part may have. */
const HEADERS = 50;
/** Bytes that are parsed in one go. */
const SLICE = 64 * 1024;

const broken = (why: string): Refusal => refuse(400, `Multipart form parse error - ${why}`);

/**
 * The fields and files of `multipart/form-data`, with turns for others in between.
 * @throws Refusal 413 for too many fields or files, 400 for what is no such form
 */
export async function readMultipart(bytes: Buffer, contentType: string, limits: FormLimits): Promise<Form> {
  const form: Form = { fields: [], files: [] };
  let [refused, over]: [Refusal | undefined, boolean] = [undefined, false];
  const fail = (refusal: Refusal): void => {
    refused ??= refusal;
  };
  const parser = parserOf(bytes, contentType, limits);
  parser
    .on('field', (given, value, { nameTruncated }) => {
      const name = nameOf(given);
      if (nameTruncated || Buffer.byteLength(name) > limits.name) fail(nameTooLong(limits.name));
      else form.fields.push([name, value]);
    })
    .on('file', (given, stream, { filename, mimeType }) => {
      const field = nameOf(given);
      if (Buffer.byteLength(field) > limits.name) fail(nameTooLong(limits.name));
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', (error: Error) => fail(broken(error.message)));
      stream.on('close', () =>
        form.files.push({
          field,
          name: baseOf(filename ?? ''),
          path: filename ?? '',
          type: mimeType,
          bytes: ownBytes(chunks),
        }),
      );
    })
    .on('fieldsLimit', () => fail(tooManyFields(limits.fields)))
    .on('partsLimit', () => fail(tooManyFields(limits.fields)))
    .on('filesLimit', () => fail(refuse(413, `A form may have at most ${limits.files} files.`)))
    .on('error', (error) => fail(broken((error as Error).message)))
    .on('close', () => {
      over = true;
    });
  const closed = new Promise<void>((resolve) => parser.once('close', resolve).once('error', () => resolve()));
  const pace = paced();
  for (let from = 0; from < bytes.length && !refused && !over; from += SLICE) {
    parser.write(bytes.subarray(from, from + SLICE));
    await pace();
  }
  if (!refused) {
    parser.end();
    await closed;
  }
  if (refused) {
    parser.destroy();
    throw refused as Refusal;
  }
  return form;
}

/** The library gives no name for a part whose name is empty or missing, whatever its types promise. */
const nameOf = (given: string | undefined): string => given ?? '';

function parserOf(bytes: Buffer, contentType: string, { fields, files, name }: FormLimits): busboy.Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8',
      preservePath: true,
      limits: {
        fields,
        files,
        // One more than fields and files may be together, so that the limit of either is reported first, by its name.
        parts: fields + files + 1,
        fieldNameSize: name + 1,
        fieldSize: bytes.length,
        fileSize: bytes.length + 1,
        headerPairs: HEADERS,
      },
    });
  } catch (error) {
    throw broken((error as Error).message);
  }
}

const baseOf = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** A small buffer may share memory with others; code that reads past its end would read theirs. */
function ownBytes(chunks: readonly Buffer[]): Buffer {
  const all = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(all, at);
  return all;
}
