import type { IncomingMessage } from 'node:http';
import { type Form, type FormLimits, isPacked, readForm, receive, refuse } from '@cadastre/body';

/**
 * The fields and files of a form for the gateway itself; undefined for an empty body. Whoever sends one has not logged in
 * yet, so nothing is unpacked. @throws Refusal 400, 413, 415
 */
export async function formOf(req: IncomingMessage, most: number, limits: FormLimits): Promise<Form | undefined> {
  if (isPacked(req.headers['content-encoding'])) throw refuse(415, 'A form is expected that is not compressed.');
  const bytes = await receive(req, most);
  return bytes.length ? readForm(bytes, req.headers['content-type'], limits) : undefined;
}
