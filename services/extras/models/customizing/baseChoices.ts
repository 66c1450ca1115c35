/** Codes that the Unicode data names although they are no countries: groups, exceptional reservations, test regions. */
const NO_COUNTRY = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ']);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let known: [value: string, label: string][] | undefined;

/** Countries as the runtime's Unicode data names them, by ISO 3166 code. */
function countries(): [string, string][] {
  if (known) return known;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(
    (code) => !NO_COUNTRY.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
  );
  known = codes.flatMap((code): [string, string][] => {
    const name = names.of(code);
    return name ? [[code, name]] : [];
  });
  return known;
}

/** The choices of a set that comes with the product, or undefined when this installation does not have its data. */
export const baseChoices = (set: string): readonly [value: string, label: string][] | undefined =>
  set === 'ISO_3166' ? countries() : undefined;
