import type { ActionHandler, ApiRequest, ApiResponse, Operation } from '@cadastre/rest';
import { type Form, metadataOf, schemaOf } from './form.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };

interface Posting extends Operation {
  /** What a request is asked with, where that is a form. */
  form?: Form;
  /** What is asked of it. `id` is that of the object, or null where the action is about several. */
  handle(
    request: ApiRequest,
    id: string | null,
  ): Promise<Omit<ApiResponse, 'headers'> & { headers?: Record<string, string> }>;
}

/** Something that is done by POST; OPTIONS tells what it is, and does nothing. */
export const posting = ({ form, handle, ...operation }: Posting): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: { POST: { ...(form ? { request: schemaOf(form) } : {}), ...operation } },
  async handle(request, id) {
    if (request.method === 'OPTIONS') {
      const about = {
        name: operation.summary,
        description: '',
        renders: ['application/json'],
        parses: ['application/json'],
        ...(form ? { actions: { POST: metadataOf(form) } } : {}),
      };
      return { status: 200, headers: ALLOW, body: JSON.stringify(about) };
    }
    const answer = await handle(request, id);
    return { ...answer, headers: { ...ALLOW, ...answer.headers } };
  },
});
