import { type Cell, isDict, type Json } from '../types/json.ts';
import type { Field } from '../types/model.ts';
import { fails, type ParseContext, type Parsed, type Seal } from '../types/parsing.ts';
import type { Rule } from '../types/rule.ts';
import { both, MASK, type TextOptions, text } from './plain/text.ts';

/** Where a sealed value of a field belongs. */
export const placeOf = (type: string, field: string): string => `${type}.${field}`;

const closed = (value: string, { seal, place }: ParseContext): Json => {
  if (!seal || !place) throw new Error('this service has no key for secrets');
  return seal.close(value, place);
};

/** A secret text: encrypted in the database, shown as a mask; the mask, sent back, means that it stays as it is. */
export function sealed(o: Omit<TextOptions, 'secret' | 'unique' | 'natural'> = {}): Field {
  const field = text({ ...o, secret: true });
  const { max: _, ...unbounded } = o;
  return {
    ...field,
    kind: 'sealed',
    sealed: 'text',
    // What is encrypted is longer than what was given.
    column: text(unbounded).column!,
    parse: (value, context) => {
      const parsed = field.parse!(value, context);
      return 'value' in parsed && typeof parsed.value === 'string' && parsed.value !== ''
        ? { value: closed(parsed.value, context) }
        : parsed;
    },
  };
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const MOST = 50;
/** Shorter secrets occur by chance in many texts, where masking them would make the texts unreadable. */
const SHORTEST = 4;
const LONGEST = 10_000;

/** Why a value cannot be one of the secrets, or undefined. */
function refusal(name: string, value: Json): string | undefined {
  if (!NAME.test(name))
    return 'A name consists of letters, digits and underscores, begins with no digit, and has at most 100 characters.';
  if (value === null) return undefined;
  if (typeof value !== 'string') return 'Not a valid string.';
  if (value.includes('\0') || !value.isWellFormed()) return 'Null and surrogate characters are not allowed.';
  const length = [...value].length;
  if (length < SHORTEST) return `Ensure this field has at least ${SHORTEST} characters.`;
  return length > LONGEST ? `Ensure this field has no more than ${LONGEST} characters.` : undefined;
}

function parseSecrets(value: Json, context: ParseContext): Parsed {
  if (!isDict(value)) return fails('Invalid data. Expected a dictionary.');
  const entries = Object.entries(value);
  if (entries.length > MOST) return fails(`There may be at most ${MOST} secrets.`);
  const errors = entries.flatMap(([name, each]): [string, string[]][] => {
    const why = refusal(name, each);
    return why ? [[name, [why]]] : [];
  });
  if (errors.length) return { errors: Object.fromEntries(errors) };
  return {
    value: Object.fromEntries(
      entries.map(([name, each]) => [name, typeof each === 'string' && each !== MASK ? closed(each, context) : each]),
    ),
  };
}

const printMasks = (cell: Cell): string =>
  JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(cell ?? '{}') as object).map((name) => [name, MASK])));

/**
 * Secret texts by name, each encrypted in the database. What is written is merged into what is there: null removes a
 * text, the mask leaves it as it is (`secretsKept`). Shown, as masks, only when a request names the field.
 */
export function sealedTexts(): Field {
  return {
    kind: 'sealedTexts',
    sealed: 'texts',
    secret: true,
    onlyNamed: true,
    column: { type: 'jsonb', nullable: false, default: "'{}'" },
    required: false,
    nullable: false,
    readOnly: false,
    writeOnly: false,
    default: {},
    print: printMasks,
    parse: parseSecrets,
    lookups: null,
    metadata: () => ({ type: 'field', required: false, read_only: false }),
    schema: {
      read: both({ type: 'object', additionalProperties: { type: 'string' } }).read,
      write: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    },
  };
}

/** Merges what is written into a field of secret texts with what it held. */
export const secretsKept =
  (field: string): Rule =>
  (object, { before }) => {
    const given = object[field];
    const held = before?.[field];
    if (!isDict(given) || given === held) return undefined;
    const known = isDict(held) ? held : {};
    const unknown = Object.keys(given).filter((name) => given[name] === MASK && !Object.hasOwn(known, name));
    if (unknown.length)
      return {
        [field]: Object.fromEntries(
          unknown.map((name) => [name, ['There is no secret of this name that could stay as it is.']]),
        ),
      };
    const merged = Object.entries({
      ...known,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== MASK)),
    }).filter(([, value]) => value !== null);
    if (merged.length > MOST) return { [field]: [`There may be at most ${MOST} secrets.`] };
    object[field] = Object.fromEntries(merged);
    return undefined;
  };

/** The encrypted texts of a sealed field by name; the name is empty where the field holds a single text. */
export function sealedIn(field: Field, cell: Cell): Record<string, string> {
  if (cell === null || cell === '') return {};
  return field.sealed === 'texts' ? (JSON.parse(cell) as Record<string, string>) : { '': cell };
}

/** The cell of a sealed field, made from its encrypted texts. */
export const cellOf = (field: Field, texts: Readonly<Record<string, string>>): string =>
  field.sealed === 'texts' ? JSON.stringify(texts) : texts['']!;

/** The decrypted texts of a sealed field by name. */
export const opened = (field: Field, cell: Cell, place: string, seal: Seal): Record<string, string> =>
  Object.fromEntries(Object.entries(sealedIn(field, cell)).map(([name, text]) => [name, seal.open(text, place)]));
