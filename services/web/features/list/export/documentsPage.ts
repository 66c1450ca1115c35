import { HttpError } from '@cadastre/service/errors';
import { exportedDocuments } from './export.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import type { ModelPage } from '../../../context/pageRequest.ts';

/** Selected objects as documents with their parts, as one file. */
export const documentsPage = (_: PageOptions): ModelPage => ({
  methods: ['POST'],
  async answer(request, model) {
    if (!model.documents) throw new HttpError(404, { detail: 'There is no such page.' });
    return exportedDocuments(request, model);
  },
});
