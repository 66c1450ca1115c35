import { type EnteredElsewhere, type ExternalApi, externalService, type OidcFlow } from '@cadastre/service/external';
import { type Callers, type GrpcService, grpcService } from '@cadastre/service/grpc';
import type { ExternalRefusal } from './account/account.ts';
import type { External, Proof } from './logins.ts';
import type { Flow, OidcProblem } from './oidc/login.ts';
import type { RemotePerson } from './remote.ts';

type Refused = OidcProblem | ExternalRefusal | 'off';

const GATEWAY = ['gateway'];
const CALLERS: Callers<ExternalApi> = {
  LoginMethods: GATEWAY,
  BeginOidc: GATEWAY,
  CompleteOidc: GATEWAY,
  BackchannelLogout: GATEWAY,
  RemoteUser: GATEWAY,
};

const refused = (problem: Refused): EnteredElsewhere => ({ problem, user: null, stamp: '', external: '' });

function entered(proof: Proof): EnteredElsewhere {
  if ('problem' in proof) return refused(proof.problem);
  const { id, username, superuser, stamp } = proof.account;
  return { problem: '', user: { id, username, superuser, active: true }, stamp, external: proof.external };
}

const onWire = ({ redirectUri, freshSince, ...flow }: Flow): OidcFlow => ({
  ...flow,
  redirect_uri: redirectUri,
  fresh_since: freshSince,
});
const fromWire = ({ redirect_uri: redirectUri, fresh_since: freshSince, ...flow }: OidcFlow): Flow => ({
  ...flow,
  redirectUri,
  freshSince,
});

/**
 * The gateway's calls about logins for which another system vouches. Passwords that a directory checks are valid even
 * where passwords stored here are turned off.
 */
export const externalGrpc = (external: External, hasDirectory: () => boolean = () => false): GrpcService =>
  grpcService<ExternalApi>(externalService, CALLERS, {
    LoginMethods: () => ({ ...external.ways, passwords: external.ways.passwords || hasDirectory() }),
    async BeginOidc({ redirect_uri, fresh }) {
      const begun = await external.begin(redirect_uri, fresh);
      return 'problem' in begun
        ? { problem: begun.problem, url: '', flow: null }
        : { problem: '', url: begun.url, flow: onWire(begun.flow) };
    },
    CompleteOidc: async ({ flow, query, address }) =>
      flow ? entered(await external.complete({ flow: fromWire(flow), query, address })) : refused('stale'),
    async BackchannelLogout({ token, address }) {
      const users = await external.endByProvider(token, address);
      return { ok: users !== null, user_ids: users ?? [] };
    },
    async RemoteUser({ first_name: firstName, last_name: lastName, ...person }) {
      const named: RemotePerson = { ...person, firstName, lastName };
      return entered(await external.remote(named));
    },
  });
