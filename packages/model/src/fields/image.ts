import { type Common, type Field, fails, type ParseContext, type Parsed, type Json, printText } from './field.ts';
import type { Values } from '../definition/rule.ts';
import { both } from './text.ts';

/** A file that came with a request. */
export interface GivenFile {
  /** As the client called it. */
  name: string;
  bytes: Buffer;
  /** Where it was kept elsewhere, and is to be kept here if nothing else is there. */
  path?: string;
  /** What it shows, or why that cannot be told. */
  image: { extension: string; width: number; height: number } | { problem: string };
}

/** How the files of a field are kept. */
export interface Upload {
  /** First part of their addresses: `/media/<folder>/…`. One service's own. */
  folder: string;
  /** What the file of an object is called, less the extension; by default as the client called it. */
  named?(object: Values, file: string): string;
  /** Fields that are filled from the file. */
  width?: string;
  height?: string;
  bytes?: string;
}

export interface ImageOptions extends Common, Upload {}

/** The longest path of a file, in characters. */
export const LONGEST_PATH = 100;

function parseImage(value: Json, { file }: ParseContext): Parsed {
  const given = typeof value === 'string' ? file?.(value) : undefined;
  if (!given) return fails('The submitted data was not a file. Check the encoding type on the form.');
  if (!given.bytes.length) return fails('The submitted file is empty.');
  const length = [...given.name].length;
  if (length > LONGEST_PATH)
    return fails(`Ensure this filename has at most ${LONGEST_PATH} characters (it has ${length}).`);
  return 'problem' in given.image ? fails(given.image.problem) : { value };
}

/**
 * A picture. Stored as the path of its file, read as the file's address; a file comes with a form, JSON can only take
 * it away (null).
 */
export function image({ folder, named, width, height, bytes, ...o }: ImageOptions): Field {
  const required = !o.optional;
  return {
    kind: 'image',
    upload: {
      folder,
      ...(named ? { named } : {}),
      ...(width ? { width } : {}),
      ...(height ? { height } : {}),
      ...(bytes ? { bytes } : {}),
    },
    column: { type: `varchar(${LONGEST_PATH})`, nullable: false, default: "''", index: 'btree' },
    required,
    nullable: o.optional ?? false,
    readOnly: o.readOnly ?? false,
    writeOnly: false,
    default: '',
    printSnapshot: printText,
    parse: parseImage,
    lookups: null,
    metadata: () => ({ type: 'image upload', required, read_only: o.readOnly ?? false, max_length: LONGEST_PATH }),
    schema: {
      read: both({ type: 'string', format: 'uri' }, o.optional).read,
      write: both({ type: 'string', format: 'binary' }, o.optional).write,
    },
    ...(o.hidden ? { hidden: true } : {}),
  };
}
