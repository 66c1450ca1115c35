import type { IncomingMessage } from 'node:http';
import { bodyLimits, bodyOn, type Form, type FormLimits, isPacked, refuse } from '@cadastre/body';

/**
 * The fields and files of a form for the gateway itself; undefined for an empty body. Its sender has not logged in yet,
 * so nothing is decompressed. @throws Refusal 400, 413, 415
 */
export async function formOf(req: IncomingMessage, most: number, limits: FormLimits): Promise<Form | undefined> {
  if (isPacked(req.headers['content-encoding'])) throw refuse(415, 'A form is expected that is not compressed.');
  return bodyOn(req, { ...bodyLimits, size: { ...bodyLimits.size, bytes: most }, form: limits }).form();
}
