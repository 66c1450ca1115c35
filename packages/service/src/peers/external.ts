/** What a browser keeps of an OpenID Connect login until it returns from the provider. */
export interface OidcFlow {
  state: string;
  nonce: string;
  verifier: string;
  redirect_uri: string;
  /** The earliest time of the login at the provider, in seconds since 1970; 0: any. */
  fresh_since: number;
}

/** The ways to log in. */
export interface LoginMethods {
  passwords: boolean;
  oidc: { name: string; immediate: boolean; seconds: number } | null;
}

/** A user whom another system has authenticated, or why the login was refused. */
export interface EnteredElsewhere {
  problem: string;
  user: { id: number; username: string; superuser: boolean; active: boolean } | null;
  stamp: string;
  external: string;
}

/** proto/external.proto, for the service that implements it and for the one that calls it. */
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
