import { type Callers, type GrpcService, grpcService } from '@cadastre/service/grpc';
import type { ExternalRefusal } from './account/account.ts';
import type { External, Proof } from './logins.ts';
import type { Flow, OidcProblem } from './oidc/login.ts';
import type { RemotePerson } from './remote.ts';

interface WireFlow {
  state: string;
  nonce: string;
  verifier: string;
  redirect_uri: string;
  fresh_since: number;
}

interface Entered {
  problem: OidcProblem | ExternalRefusal | 'off' | '';
  user: { id: number; username: string; superuser: boolean; active: boolean } | null;
  stamp: string;
  external: string;
}

/** proto/external.proto. */
export interface ExternalApi {
  LoginMethods(request: Record<string, never>): {
    passwords: boolean;
    oidc: { name: string; immediate: boolean; seconds: number } | null;
  };
  BeginOidc(request: { redirect_uri: string; fresh: boolean }): { problem: string; url: string; flow: WireFlow | null };
  CompleteOidc(request: { flow: WireFlow | null; query: string; address: string }): Entered;
  BackchannelLogout(request: { token: string; address: string }): { ok: boolean; user_ids: number[] };
  RemoteUser(request: {
    username: string;
    email: string;
    first_name: string;
    last_name: string;
    groups: readonly string[];
    address: string;
  }): Entered;
}

const door = ['gateway'];
const CALLERS: Callers<ExternalApi> = {
  LoginMethods: door,
  BeginOidc: door,
  CompleteOidc: door,
  BackchannelLogout: door,
  RemoteUser: door,
};

const refused = (problem: Entered['problem']): Entered => ({ problem, user: null, stamp: '', external: '' });

function entered(proof: Proof): Entered {
  if ('problem' in proof) return refused(proof.problem);
  const { id, username, superuser, stamp } = proof.account;
  return { problem: '', user: { id, username, superuser, active: true }, stamp, external: proof.external };
}

const onWire = ({ redirectUri, freshSince, ...flow }: Flow): WireFlow => ({
  ...flow,
  redirect_uri: redirectUri,
  fresh_since: freshSince,
});
const fromWire = ({ redirect_uri: redirectUri, fresh_since: freshSince, ...flow }: WireFlow): Flow => ({
  ...flow,
  redirectUri,
  freshSince,
});

/**
 * What the gateway asks about logins that another system vouches for. Where a directory knows passwords, they count also
 * when those that are kept here do not.
 */
export const externalGrpc = (external: External, hasDirectory: () => boolean = () => false): GrpcService =>
  grpcService<ExternalApi>({ proto: 'external.proto', service: 'cadastre.auth.External' }, CALLERS, {
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
