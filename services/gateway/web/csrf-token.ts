import type { IncomingMessage } from 'node:http';
import { csrfField, csrfScriptHeader } from '@cadastre/service/web';

/** The token comes first in a form, within this many bytes. */
const FIRST = 4_096;

const urlencoded = new RegExp(`^${csrfField}=([\\w.-]{1,200})(?:&|$)`);
const multipart = new RegExp(
  `^--[^\\r\\n]{1,200}\\r\\nContent-Disposition: form-data; name="${csrfField}"\\r\\n\\r\\n([\\w.-]{1,200})\\r\\n`,
  'i',
);

/**
 * The CSRF token that a form or a script has brought: a header, or the form's first field. The body stays as it is,
 * for the service that reads it. Call it when the beginning of the body has arrived.
 */
export function csrfTokenOf(req: IncomingMessage): string {
  const header = req.headers[csrfScriptHeader];
  if (typeof header === 'string') return header;
  const chunk = req.read() as Buffer | null;
  if (chunk === null) return '';
  req.unshift(chunk);
  const begin = chunk.subarray(0, FIRST).toString('latin1');
  return (urlencoded.exec(begin) ?? multipart.exec(begin))?.[1] ?? '';
}
