import { fileURLToPath } from 'node:url';
import type { Dict, Schema } from '@cadastre/model';
import { type ActionHandler, brief, create, type Engine, parseBody, parseItems, recordOf } from '@cadastre/rest';
import { executor } from '@cadastre/service/executor';
import { grantsOf, type ModelService, type PermissionSet, modelService } from '@cadastre/service/models';
import { baseChoices } from '../extras/models/baseChoices.ts';
import { GIVEN, provision, SHOWN } from './actions/provision.ts';
import { userConfig } from './actions/config.ts';
import { oneSession, sessions } from './actions/sessions.ts';
import { matching } from './actions/matching.ts';
import { ownPassword } from './actions/password.ts';
import { rightsTest } from './actions/rightsTest.ts';
import { authenticationCheck } from './actions/self.ts';
import { constraintsFor } from './constraints.ts';
import { facilities } from './facilities.ts';
import { authGrpc } from './grpc.ts';
import { token } from './models/token.ts';
import { user } from './models/user.ts';
import { hashingPlaces } from './password.ts';
import { permissionsOf } from './permissions.ts';
import type { Places } from './places.ts';
import { ensureSuperuser } from './superuser.ts';
import { defaultVersion } from './token.ts';
import { verificationPool } from './verification-pool.ts';

/** What a user may do, as services ask for it. */
const granted =
  ({ db, config }: Pick<ModelService, 'db' | 'config'>) =>
  async (userId: number): Promise<PermissionSet> => {
    const { version, permissions } = await permissionsOf(db, userId, config.defaultPermissions);
    return {
      version,
      permissions: permissions.map((p) => ({
        object_types: p.objectTypes,
        actions: p.actions,
        constraints: JSON.stringify(p.constraints),
      })),
    };
  };

const hashingOf = ({ facilities: known }: Engine): Places => known['hashing'] as Places;

/** Tells a client what has failed in the user's name since they last logged in. */
const failedLoginsHeader = 'X-Failed-Logins';

export const service = modelService('auth', () => ({
  services: fileURLToPath(new URL('..', import.meta.url)),
  baseChoices,
  facilities: (config, catalogue) => {
    const hashing = hashingPlaces(config);
    return { ...facilities(config, hashing), hashing, constraints: constraintsFor(catalogue) };
  },
  permissions: granted,
  actions: (service) => ({
    'users/tokens/provision': provisioning(service),
    'users/permissions/matching': matching(service),
    'users/permissions/test': rightsTest(service),
    'authentication-check/': authenticationCheck(service.engine),
    'users/config': userConfig(service.engine),
    'users/password': ownPassword(service.engine, {
      db: service.db,
      limits: service.config,
      defaults: service.config.defaultPermissions,
      hashing: hashingOf(service.engine),
    }),
    'users/sessions': sessions(service.engine, service.config.maintenanceMode ? 0 : service.config.loginIdleTimeout),
    'users/sessions/*': oneSession(service.engine),
  }),
  grpc: ({ engine, db, config, log, catalogue, onClose }) => {
    const verifying = verificationPool(config);
    onClose('connections for tokens', () => verifying.end());
    const { service, close } = authGrpc({
      db,
      verifying: executor(verifying),
      hashing: hashingOf(engine),
      config,
      log,
      owners: catalogue.services(),
    });
    onClose('uses of tokens', close);
    return [service];
  },
  started: ensureSuperuser,
}));

/** POST /api/users/tokens/provision/ */
function provisioning(service: ModelService): ActionHandler {
  const { engine, db, config } = service;
  const { apiTokenPeppers: peppers, defaultPermissions: defaults } = config;
  const hashing = hashingOf(engine);
  const schemas = Object.fromEntries(GIVEN.map((name) => [name, token.fields[name]!.schema.write]));
  return {
    methods: ['POST', 'OPTIONS'],
    operations: {
      POST: {
        refuses: [429, 503],
        summary: 'Get a new token for a username and a password',
        status: 201,
        answer: recordOf(Object.fromEntries(SHOWN.map((name) => [name, shownAs(name)]))),
        request: {
          type: 'object',
          required: ['username', 'password'],
          properties: { username: { type: 'string' }, password: { type: 'string', format: 'password' }, ...schemas },
        },
      },
    },
    async handle(request) {
      const { made, failures } = await provision(parseBody(request.body, request.headers['content-type']) ?? {}, {
        db,
        defaults,
        limits: config,
        hashing,
        address: request.clientIp,
        check: (given) => parseItems(engine, token, [{ ...given, user: 0 }], 'create')[0]!.errors,
        async create(given, { id, username, superuser }) {
          const grants = superuser
            ? { superuser, userId: id, byAction: new Map() }
            : grantsOf(id, await granted(service)(id));
          const cause = { id: request.id, method: request.method, path: request.path, user: username, userId: id };
          const { texts } = await create(
            engine,
            token,
            [{ version: defaultVersion(peppers), ...given, user: id }],
            true,
            { who: { userId: id, username, grants }, cause, base: request.base },
          );
          return JSON.parse(texts[0]!) as Dict;
        },
      });
      return {
        status: 201,
        headers: {
          Allow: 'POST, OPTIONS',
          ...(failures
            ? {
                [failedLoginsHeader]: `${failures.count}; last=${failures.last}; from=${failures.address || 'unknown'}`,
              }
            : {}),
        },
        body: JSON.stringify(made),
      };
    },
  };
}

/** How a member of the answer is described. */
function shownAs(name: string): Schema {
  if (name === 'id') return { type: 'integer' };
  return name === 'user' ? brief(user) : (token.fields[name]?.schema.read ?? { type: 'string' });
}
