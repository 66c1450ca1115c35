import { fileURLToPath } from 'node:url';
import type { Dict, Schema } from '@cadastre/model';
import { type ActionHandler, brief, create, type Engine, parseItems, recordOf } from '@cadastre/rest';
import { executor } from '@cadastre/service/executor';
import { grantsOf, type ModelService, type PermissionSet, modelService } from '@cadastre/service/models';
import { needing } from '@cadastre/service/host/memory';
import { baseChoices } from '../extras/models/customizing/baseChoices.ts';
import { factorActions } from './actions/factors.ts';
import { GIVEN, provision, SHOWN } from './actions/provision.ts';
import { userConfig } from './actions/config.ts';
import { configImport } from './actions/configImport.ts';
import { resetFactors } from './actions/resetFactors.ts';
import { oneSession, sessions } from './actions/sessions.ts';
import { matching } from './actions/matching.ts';
import { ownPassword } from './actions/password.ts';
import { rightsTest } from './actions/rightsTest.ts';
import { managing } from './actions/managing.ts';
import { authenticationCheck } from './actions/self.ts';
import { constraintsFor } from './rights/constraints.ts';
import { externalGrpc } from './login/external/grpc.ts';
import { type External, externalLogins } from './login/external/logins.ts';
import { type DirectoryLogin, directoryLogin } from './login/external/ldap/login.ts';
import { warnFromTimeToTime } from './credentials/expiring.ts';
import { facilities } from './accounts/facilities.ts';
import { recordFactorChanges } from './factors/factorChanges.ts';
import { factorOptions } from './factors/options.ts';
import { resealFactors } from './factors/reseal.ts';
import { authGrpc } from './login/grpc.ts';
import { token } from './models/token.ts';
import { user } from './models/user.ts';
import { type Hashing, hashingMb, hashingPlaces } from './passwords/password.ts';
import { toldPolicy } from './passwords/passwordPolicy.ts';
import { permissionsOf } from './rights/permissions.ts';
import { type SecurityRecord, securityRecord } from './security/record.ts';
import { keepTidy } from './security/retention.ts';
import { ensureSuperuser } from './accounts/superuser.ts';
import { defaultVersion } from './credentials/token.ts';
import { verificationPool } from './credentials/verification-pool.ts';

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

const hashingOf = ({ facilities: known }: Engine): Hashing => known['hashing'] as Hashing;

/** What is there once everything has started. */
interface Running {
  directory?: DirectoryLogin | undefined;
}

/** Tells a client of the failed attempts for the user's name since the user last logged in. */
const failedLoginsHeader = 'X-Failed-Logins';

const models = modelService('auth', () => {
  let elsewhere: External | undefined;
  // Requests come only after everything has started.
  const running: Running = {};
  let made: SecurityRecord | undefined;
  const securityOf = ({ engine, log, config }: Pick<ModelService, 'engine' | 'log' | 'config'>): SecurityRecord =>
    (made ??= securityRecord({
      engine,
      log,
      perMinute: config.securityEventsPerMinute,
      stored: !config.maintenanceMode,
    }));
  const externalOf = (service: ModelService): External =>
    (elsewhere ??= externalLogins({ ...service, security: securityOf(service) }));
  return {
    services: fileURLToPath(new URL('..', import.meta.url)),
    baseChoices,
    facilities: (config, catalogue, _seal, log) => {
      const hashing = hashingPlaces(config);
      return { ...facilities(config, hashing, log), hashing, constraints: constraintsFor(catalogue) };
    },
    permissions: granted,
    actions: (service) => ({
      'users/tokens/provision': provisioning(service, securityOf(service), running),
      ...managing(service, securityOf(service)),
      'users/permissions/matching': matching(service),
      'users/permissions/test': rightsTest(service),
      'authentication-check/': authenticationCheck(service.engine),
      'users/config': userConfig(service.engine),
      'users/config/import': configImport(service.engine),
      'users/password': ownPassword(service.engine, toldPolicy(service.config), {
        db: service.db,
        limits: service.config,
        defaults: service.config.defaultPermissions,
        hashing: hashingOf(service.engine),
        security: securityOf(service),
        factors: factorOptions(service.db, service.config, securityOf(service)),
      }),
      'users/sessions': sessions(
        service.engine,
        securityOf(service),
        service.config.maintenanceMode ? 0 : service.config.loginIdleTimeout,
      ),
      'users/sessions/*': oneSession(service.engine, securityOf(service)),
      ...factorActions({
        engine: service.engine,
        config: service.config,
        factors: factorOptions(service.db, service.config, securityOf(service)),
        note: recordFactorChanges(securityOf(service)),
      }),
      'users/users/*/reset-factors': resetFactors(service.engine, recordFactorChanges(securityOf(service))),
    }),
    grpc: (known) => {
      const { engine, db, config, log, catalogue, onClose } = known;
      const security = securityOf(known);
      const external = externalOf(known);
      onClose('security events', () => security.close());
      const verifying = verificationPool(config);
      onClose('connections for tokens', () => verifying.end());
      const { service, close } = authGrpc({
        db,
        verifying: executor(verifying),
        hashing: hashingOf(engine),
        security,
        transact: (work) => engine.transact(work),
        config,
        log,
        owners: catalogue.services(),
        external,
        directory: () => running.directory,
      });
      onClose('uses of tokens', close);
      return [service, externalGrpc(external, () => running.directory !== undefined)];
    },
    async started(service) {
      const { pool, config, log, onClose } = service;
      await ensureSuperuser(service);
      externalOf(service).look();
      await resealFactors(service);
      running.directory = await directoryLogin(service, securityOf(service));
      onClose('warnings of tokens', warnFromTimeToTime(service, securityOf(service)));
      const failed = (err: unknown) => log.warn({ err }, 'old security events could not be removed');
      onClose('security event retention', keepTidy(pool, config.securityEventsRetention, failed));
    },
  };
});

export const service = needing(models, ({ config }) => [{ what: 'hashes of passwords', mb: hashingMb(config) }]);

/** POST /api/users/tokens/provision/ */
function provisioning(service: ModelService, security: SecurityRecord, running: Running): ActionHandler {
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
          properties: {
            username: { type: 'string' },
            password: { type: 'string', format: 'password' },
            code: {
              type: 'string',
              description: 'Of the second factor, where the user has one: of an app, or a recovery code.',
            },
            ...schemas,
          },
        },
      },
    },
    async handle(request) {
      const { made, failures } = await provision((await request.body?.json()) ?? {}, {
        db,
        defaults,
        limits: config,
        hashing,
        security,
        everybody: config.localLogin,
        directory: running.directory,
        address: request.clientIp,
        factors: factorOptions(db, config, security),
        factorGroups: config.secondFactorGroups,
        check: async (given) => (await parseItems(engine, token, [{ ...given, user: 0 }], 'create'))[0]!.errors,
        async create(given, { id, username, superuser }, method) {
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
          const shown = JSON.parse(texts[0]!) as Dict;
          security.note({
            kind: 'token_provisioned',
            ok: true,
            user: { id, name: username },
            address: request.clientIp,
            method,
            about: { type: token.name, id: shown['id'] as number },
            requestId: request.id,
          });
          return shown;
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

/** The schema of a field of the answer. */
function shownAs(name: string): Schema {
  if (name === 'id') return { type: 'integer' };
  return name === 'user' ? brief(user) : (token.fields[name]?.schema.read ?? { type: 'string' });
}
