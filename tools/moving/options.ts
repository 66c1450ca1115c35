/** A whole number of at most three digits that an option gives. @throws Error that names the option */
export function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,3}$/.test(text)) throw new Error(`--${name} must be a number, not ${text}.`);
  return Number(text);
}
