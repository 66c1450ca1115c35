import { HttpError } from '@cadastre/service/errors';
import { spoken } from '../ui/texts/speaking.ts';

export const noSuchPage = (): HttpError => new HttpError(404, { detail: 'There is no such page.' });

/**
 * The problems in a refusal of the API, by field and in the reader's language; those that concern no field have the
 * empty name.
 */
export function problemsOf(error: Pick<HttpError, 'body'>): Record<string, string> {
  const body = (typeof error.body === 'object' && error.body !== null ? error.body : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      ['detail', 'non_field_errors', '__all__'].includes(name) ? '' : name,
      textOf(value),
    ]),
  );
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(' ')
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, inner]) => `${name}: ${textOf(inner)}`)
          .join(' ')
      : spoken().answer(String(value));
