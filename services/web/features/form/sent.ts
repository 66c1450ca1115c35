import type { Json } from '@cadastre/model';
import type { AskOptions } from '@cadastre/pages';
import type { SubmittedForm } from '../../context/pageRequest.ts';
import type { Body } from './schema/formSchema.ts';

/** What a form does with a file field: it replaces or removes the file. */
const CLEAR = '_clear.';

/** A value as text for `multipart/form-data`, from which the API parses the type of the field. */
const textOf = (value: Json): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The request body: JSON, or multipart if there are files. `images` are the fields that take files. */
export async function sentOf(
  body: Body,
  { fields, files }: SubmittedForm,
  images: readonly string[],
): Promise<AskOptions> {
  const cleared = Object.fromEntries(
    images.filter((name) => fields.has(`${CLEAR}${name}`) && !files.has(name)).map((name) => [name, null]),
  );
  const all = { ...body, ...cleared };
  const given = images.flatMap((name) => {
    const file = files.get(name);
    return file ? [[name, file] as const] : [];
  });
  if (!given.length) return { body: all };
  const form = new FormData();
  for (const [name, value] of Object.entries(all)) form.append(name, textOf(value));
  for (const [name, { name: called, type, bytes }] of given)
    form.append(name, new Blob([new Uint8Array(bytes)], { type }), called);
  const made = new Response(form);
  return {
    body: new Uint8Array(await made.arrayBuffer()),
    headers: { 'content-type': made.headers.get('content-type')! },
  };
}
