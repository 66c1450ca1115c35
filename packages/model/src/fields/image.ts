import { type Json, printText } from '../types/json.ts';
import type { Common, Field } from '../types/model.ts';
import type { Upload } from '../types/parsing.ts';
import { fails, type ParseContext, type Parsed } from '../types/parsing.ts';
import { both } from './plain/text.ts';

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
 * A picture. Stored as the path of its file, read as the file's address. A file can only be sent in a form; JSON can
 * only remove it (null).
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
