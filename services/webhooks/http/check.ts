import { HeaderError, parseHeaders } from './headers.ts';
import { RequestError, destination } from './request.ts';

/** Matches templates, and the placeholder for one while the text around them is checked. */
const template = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g;
const stand = '\uf8ff';

/** Why a text with templates cannot become a URL that webhooks are sent to, as a sentence; null when it may. */
export function checkUrl(text: string): string | null {
  const around = text.trim().replace(template, stand);
  // Where a template may give the scheme or the host, only delivery can tell.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(around)?.[1];
  if (
    around.startsWith(stand) ||
    (scheme && /^[a-z0-9+.-]+:[\\/]*[^\\/?#]*\uf8ff/i.test(around) && /^https?$/i.test(scheme))
  )
    return null;
  try {
    destination(around.replaceAll(stand, '1'));
    return null;
  } catch (error) {
    if (error instanceof RequestError) return `${error.message}.`;
    throw error;
  }
}

/** Why a text with templates cannot become header lines, as a sentence that names the line; null when it may. */
export function checkHeaders(text: string): string | null {
  const around = text.replace(template, (found) => stand + '\n'.repeat(found.split('\n').length - 1));
  // A line that begins with a template may become any number of headers.
  const lines = around
    .split(/\r\n|\r|\n/)
    .map((line) => (line.trimStart().startsWith(stand) ? '' : line.replaceAll(stand, 'x')));
  try {
    parseHeaders(lines.join('\n'));
    return null;
  } catch (error) {
    if (error instanceof HeaderError) return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    throw error;
  }
}

/** Why a text cannot be sent as the type of a body; null when it can. */
export const checkContentType = (text: string): string | null =>
  /[\p{Cc}]/u.test(text) ? 'A content type may not have control characters.' : null;
