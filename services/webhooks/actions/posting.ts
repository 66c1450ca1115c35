import type { ActionHandler, ApiRequest, ApiResponse, Operation } from '@cadastre/rest';
import { type Form, metadataOf, schemaOf } from './form.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };

interface Posting extends Operation {
  /** The form of the request's body, if it has one. */
  form?: Form;
  /** Performs the action. `id` is that of the object, or null when the action is about several. */
  handle(
    request: ApiRequest,
    id: string | null,
  ): Promise<Omit<ApiResponse, 'headers'> & { headers?: Record<string, string> }>;
}

/** An action that is performed by POST; OPTIONS describes it without performing it. */
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
