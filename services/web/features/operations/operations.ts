import { HttpError } from '@cadastre/service/errors';
import { problemsOf } from '../../client/problems.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';

/** What the gateway has done behind a page, and answered. @throws HttpError as it has refused it */
export function answered<T>({ answered: plain, texts }: PageRequest): T & { shortened?: boolean } {
  if (!plain) throw new HttpError(404, { detail: texts('notFound') });
  const body = plain.text === '' ? {} : JSON.parse(plain.text);
  if (plain.status >= 400) throw new HttpError(plain.status, body);
  return body || {};
}

/** A form whose work the gateway has done; afterwards it goes on at an address. What did not work leads back. */
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
