import { MASK, placeOf, type Rule, type Seal, type Values } from '@cadastre/model';
import { concealed, type Holder, revealed } from './concealed.ts';

/** The texts of a webhook that may hold credentials. */
export const HOLDERS = { payload_url: 'url', additional_headers: 'headers' } as const satisfies Record<string, Holder>;
type Text = keyof typeof HOLDERS;
const texts = Object.keys(HOLDERS) as Text[];

/** Where the complete texts are kept, encrypted. */
export const CREDENTIALS = placeOf('extras.webhook', 'credentials');

/** The complete versions of those texts that show masks. */
export type Whole = Partial<Record<Text, string>>;

/** What the service that owns webhooks provides under the name `seal`. */
export type Sealing = Pick<Seal, 'open' | 'close'>;

/** The encrypted form of the complete texts; empty when nothing is hidden. */
export const closed = (whole: Whole, seal: Sealing): string =>
  Object.keys(whole).length ? seal.close(JSON.stringify(whole), CREDENTIALS) : '';
export const openedWhole = (stored: string, seal: Sealing): Whole =>
  stored === '' ? {} : (JSON.parse(seal.open(stored, CREDENTIALS)) as Whole);

/** What is known of a webhook, with its texts as they are shown. */
export const concealedTexts = (state: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...state,
  ...Object.fromEntries(
    texts.flatMap((name) => (typeof state[name] === 'string' ? [[name, concealed(HOLDERS[name], state[name])]] : [])),
  ),
});

/** The longest text that a URL may have, masks included. */
export const MAX_URL = 500;

/** Hides the credentials in a webhook's texts; the mask, sent back, means that they stay as they are. */
export const credentialsConcealed: Rule = (object, { before, service }) => {
  const changed = texts.filter((name) => object[name] !== (before?.[name] ?? ''));
  if (!changed.length) return undefined;
  const seal = service<Sealing>('seal');
  const held = heldBy(before, seal);
  const whole: Whole = {};
  const errors: Record<string, string[]> = {};
  for (const name of texts) {
    const given = String(object[name] ?? '');
    const holder = HOLDERS[name];
    const was = held?.[name] ?? (held ? String(before?.[name] ?? '') : '');
    const all = changed.includes(name) ? revealed(holder, given, was) : held ? was : null;
    if (all === null) {
      errors[name] = [
        `${MASK} stands for nothing here that is known: give the credentials, or name a secret ({{ secrets.name }}).`,
      ];
      continue;
    }
    const shown = concealed(holder, all);
    if (shown !== all) whole[name] = all;
    object[name] = shown;
  }
  if (!errors['payload_url'] && [...String(object['payload_url'] ?? '')].length > MAX_URL)
    errors['payload_url'] = [`Ensure this field has no more than ${MAX_URL} characters.`];
  if (Object.keys(errors).length) return errors;
  object['credentials'] = closed(whole, seal);
  return undefined;
};

/** The texts that were hidden before; undefined when no key decrypts them any more. */
function heldBy(before: Values | null, seal: Sealing): Whole | undefined {
  try {
    return openedWhole(String(before?.['credentials'] ?? ''), seal);
  } catch {
    return undefined;
  }
}
