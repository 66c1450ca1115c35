import type { Body } from '@cadastre/body';
import type { SubmittedForm } from './pageRequest.ts';

/** The empty form, for a request that has none or whose form has not been read yet. */
export const nothingSubmitted = (): SubmittedForm => ({ fields: new URLSearchParams(), files: new Map(), uploads: [] });

/** The fields and files of a form. @throws Refusal 400, 413, 415, 429, 503 */
export async function readSubmitted(body: Body | undefined): Promise<SubmittedForm> {
  const form = await body?.form();
  const fields = new URLSearchParams();
  for (const [name, value] of form?.fields ?? []) fields.append(name, value);
  const chosen = (form?.files ?? []).filter(({ name }) => name);
  return {
    fields,
    files: new Map(chosen.map(({ field, name, type, bytes }) => [field, { name, type, bytes }])),
    uploads: chosen.map(({ field, path, type, bytes }) => ({ field, name: path, type, bytes })),
  };
}
