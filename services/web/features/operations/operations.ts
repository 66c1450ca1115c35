import { HttpError } from '@cadastre/service/errors';
import { problemsOf } from '../../client/problems.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';

/**
 * The answer of the gateway, which performs the operation before the page is asked for. @throws HttpError if it refused
 */
export function answered<T>({ answered: plain, texts }: PageRequest): T & { shortened?: boolean } {
  if (!plain) throw new HttpError(404, { detail: texts('notFound') });
  const body = plain.text === '' ? {} : JSON.parse(plain.text);
  if (plain.status >= 400) throw new HttpError(plain.status, body);
  return body || {};
}

/**
 * A form whose operation the gateway performs; afterwards it redirects to an address. A conflict is shown with a link
 * back.
 */
export const done = (to: string): Page => ({
  methods: ['POST'],
  async answer(request) {
    try {
      answered(request);
      return { to };
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 409) throw error;
      const href = request.path.replace(/[^/]+\/$/, '');
      return {
        view: 'refused',
        status: error.status,
        title: request.texts('failed'),
        data: { problems: problemsOf(error), back: { href, label: href } },
      };
    }
  },
});
