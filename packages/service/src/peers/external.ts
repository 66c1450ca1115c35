/** What a browser keeps of a login by OpenID Connect until it is back. */
export interface OidcFlow {
  state: string;
  nonce: string;
  verifier: string;
  redirect_uri: string;
  /** Since when the login there has to be, in seconds since 1970; 0: whenever it was. */
  fresh_since: number;
}

/** In which ways one can log in. */
export interface LoginMethods {
  passwords: boolean;
  oidc: { name: string; immediate: boolean; seconds: number } | null;
}

/** Somebody for whom another system vouches, or why nobody comes in. */
export interface EnteredElsewhere {
  problem: string;
  user: { id: number; username: string; superuser: boolean; active: boolean } | null;
  stamp: string;
  external: string;
}

/** proto/external.proto, for the service that answers and for the one that asks. */
export interface ExternalApi {
  LoginMethods(request: Record<string, never>): LoginMethods;
  BeginOidc(request: { redirect_uri: string; fresh: boolean }): { problem: string; url: string; flow: OidcFlow | null };
  CompleteOidc(request: { flow: OidcFlow | null; query: string; address: string }): EnteredElsewhere;
  BackchannelLogout(request: { token: string; address: string }): { ok: boolean; user_ids: number[] };
  RemoteUser(request: {
    username: string;
    email: string;
    first_name: string;
    last_name: string;
    groups: readonly string[];
    address: string;
  }): EnteredElsewhere;
}

export const externalService = { proto: 'external.proto', service: 'cadastre.auth.External' };
