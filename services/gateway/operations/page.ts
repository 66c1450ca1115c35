import { answerForPage, shortened } from '../web/api-pages.ts';
import { HttpError } from '@cadastre/service/errors';
import type { Admitted } from '../admit/admission.ts';
import { isRead } from '../admit/admission.ts';
import type { Operations } from './operation.ts';
import { pathOf } from '../forward/routes.ts';

/** The API operation behind a page. */
export interface Behind {
  method: string;
  url: string;
}

/**
 * The operation behind a page: `/core/…/` shows what `/api/core/…/` answers, and a form that is sent to it does the
 * same as a POST there; one that is sent to `…/delete/` deletes.
 */
export function operationBehind(
  { covers }: Pick<Operations, 'covers'>,
  method: string,
  url: string,
): Behind | undefined {
  const target = `/api${url}`;
  const path = pathOf(target) ?? '';
  const deleted = path.replace(/delete\/$/, '');
  if (isRead(method)) return covers(path) ? { method: 'GET', url: target } : undefined;
  if (deleted !== path && covers(deleted)) return { method: 'DELETE', url: deleted };
  return covers(path) ? { method: 'POST', url: target } : undefined;
}

/**
 * The answer of an operation to an admitted client, for the service that makes a page of it; long texts are cut to fit.
 */
export async function answeredBehind(
  operations: Operations,
  admitted: Admitted,
  { method, url }: Behind,
): Promise<string> {
  try {
    const { status, body } = await operations.ask(admitted, method, url);
    return fitting(status, body);
  } catch (error) {
    if (error instanceof HttpError) return fitting(error.status, error.body);
    throw error;
  }
}

const LENGTHS = [4_000, 1_000, 300, 100, 30];

function fitting(status: number, body: unknown): string {
  for (const most of [Number.POSITIVE_INFINITY, ...LENGTHS]) {
    const answer = answerForPage(status, shortened(body, most));
    if (answer !== undefined) return answer;
  }
  throw new HttpError(500, { detail: 'There is too much to be shown as a page.' });
}
