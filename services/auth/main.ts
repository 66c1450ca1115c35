import { fileURLToPath } from 'node:url';
import { type ActionHandler, type Change, parseBody, record, recordOf, whole } from '@cadastre/rest';
import { readRows } from '@cadastre/rest/write/store';
import { executor } from '@cadastre/service';
import { type ModelService, runModelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';
import { insertToken, provision } from './actions/provision.ts';
import { userConfig } from './actions/config.ts';
import { authenticationCheck } from './actions/self.ts';
import { constraintsFor } from './constraints.ts';
import { facilities } from './facilities.ts';
import { authGrpc } from './grpc.ts';
import { token } from './models/token.ts';
import { permissionsOf } from './permissions.ts';
import { ensureSuperuser } from './superuser.ts';

await runModelService('auth', {
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  facilities: (config, catalogue) => ({ ...facilities(config.apiTokenPeppers), constraints: constraintsFor(catalogue) }),
  permissions: ({ db, config }) => async (userId) => {
    const { version, permissions } = await permissionsOf(db, userId, config.defaultPermissions);
    return { version, permissions: permissions.map((p) => ({ object_types: p.objectTypes, actions: p.actions, constraints: JSON.stringify(p.constraints) })) };
  },
  actions: (service) => ({ 'users/tokens/provision': provisioning(service), 'authentication-check/': authenticationCheck(service.engine), 'users/config': userConfig(service.engine) }),
  grpc: ({ db, config, log, onClose }) => {
    const { service, close } = authGrpc(db, config, log);
    onClose('uses of tokens', close);
    return [service];
  },
  started: ensureSuperuser,
});

/** POST /api/users/tokens/provision/ */
function provisioning({ engine, db, config }: ModelService): ActionHandler {
  return {
    methods: ['POST', 'OPTIONS'],
    operations: {
      POST: {
        summary: 'Get a new token for a username and a password', status: 201, answer: { allOf: [whole(token), recordOf({ token: { type: 'string' } })] },
        request: { ...recordOf({ username: { type: 'string' }, password: { type: 'string', format: 'password' } }), required: ['username', 'password'] },
      },
    },
    async handle(request) {
      const body = await provision(parseBody(request.body, request.headers['content-type']) ?? {}, {
        db, peppers: config.apiTokenPeppers, defaults: config.defaultPermissions, limits: config, base: request.base, address: request.clientIp,
        create: (stored, account) => engine.transact(async (client) => {
          const made = await insertToken(executor(client))(stored, account);
          const [cells] = await readRows(engine.tables, token, [made.id], client);
          const change: Change = { action: 'created', model: token, before: null, after: cells!, message: '' };
          await record(await engine.source(client), [change], { id: request.id, method: request.method, path: request.path, user: account.username, userId: account.id }, client);
          return made;
        }),
      });
      return { status: 201, headers: { Allow: 'POST, OPTIONS' }, body: JSON.stringify(body) };
    },
  };
}
