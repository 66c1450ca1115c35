import { type ActionHandler, detail, type Engine, parseQuery, refuse, whole } from '@cadastre/rest';
import { user } from '../models/user.ts';

/** GET /api/authentication-check/: the representation of the requester. */
export const authenticationCheck = (engine: Engine): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: { GET: { summary: 'Get the user whom the token belongs to', answer: whole(user) } },
  async handle(request) {
    const { userId } = request.who;
    if (userId === null) throw refuse(403, 'Authentication credentials were not provided.');
    // Everybody may see themselves, whatever the permissions on users are.
    const self = {
      ...request.who,
      grants: {
        ...request.who.grants,
        byAction: new Map([...request.who.grants.byAction, ['view users.user', [{ id: userId }]]] as const),
      },
    };
    const { text } = await detail(engine, user, String(userId), parseQuery('', engine.settings), self, request.base);
    return { status: 200, headers: { Allow: 'GET, HEAD, OPTIONS' }, body: text };
  },
});
