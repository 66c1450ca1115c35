import { type Model, webPath } from '@cadastre/model';
import { HttpError } from '@cadastre/service/errors';
import type { PageOptions } from '../../context/pageOptions.ts';
import { page } from './list.ts';
import { problemsOf } from '../../client/problems.ts';
import type { PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** Performs the action of a form beside a list; if the API refuses it, shows the list with the submitted form. */
export async function orAgain(
  request: PageRequest,
  model: Model,
  options: PageOptions,
  aside: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 403].includes(error.status)) throw error;
    const { fields } = request.submitted;
    const query = new URLSearchParams(request.query);
    query.set('_show', aside);
    if (fields.has('columns')) query.set('columns', fields.getAll('columns').join(','));
    return page({ ...request, query }, model, webPath(model)!, options, {
      problem: Object.entries(problemsOf(error))
        .map(([name, text]) => (name ? `${name}: ${text}` : text))
        .join(' '),
      name: fields.get('name') ?? '',
      shared: fields.has('shared'),
    });
  }
}
