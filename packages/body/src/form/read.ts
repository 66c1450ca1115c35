import type { FormLimits } from '../limits.ts';
import { refuse } from '../refusal.ts';
import { type Form, readMultipart } from './multipart.ts';
import { readUrlencoded } from './urlencoded.ts';

export const isMultipart = (contentType: string | undefined): boolean =>
  /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
export const isUrlencoded = (contentType: string | undefined): boolean =>
  /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '');

/** The fields and files of a form of either encoding. @throws Refusal 415 for a body that is not a form, 413 and 400 as the readers of both */
export async function readForm(bytes: Buffer, contentType: string | undefined, limits: FormLimits): Promise<Form> {
  if (isUrlencoded(contentType)) return { fields: readUrlencoded(bytes, limits), files: [] };
  if (isMultipart(contentType)) return readMultipart(bytes, contentType!, limits);
  throw refuse(415, 'A form is expected.');
}
