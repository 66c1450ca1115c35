import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A user of the provider. */
interface Known {
  preferred_username?: string;
  email?: string;
  given_name?: string;
  family_name?: string;
  groups?: string[];
}

/** An identity provider on this machine. */
export interface Identities {
  issuer: string;
  /** All users by `sub`. */
  people: Map<string, Known>;
  /** The user who logs in next at its page; null for one who cancels. */
  next: string | null;
  /** If set, token requests are answered only once it resolves. */
  holding: (() => Promise<void>) | undefined;
  /** Sends a back-channel logout for a session of a user. */
  end(sub: string, sid: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ProviderOptions {
  /** Shows pages to the browser, instead of logging the next user in at once. */
  pages?: boolean;
}

export const CLIENT = { id: 'cadastre', secret: 'a-secret-of-the-provider' } as const;

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Provider</title><h1>The provider</h1>
  <form method="post"><label>Who are you? <input name="sub" autofocus></label> <button>Log in here</button></form>`;

/** A provider that knows one client, at this address. Its login page logs the next user in at once. */
export async function startProvider(base: string, { pages = false }: ProviderOptions = {}): Promise<Identities> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Known>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${base}/oauth/complete/oidc/`],
        post_logout_redirect_uris: [`${base}/logout/`],
        backchannel_logout_uri: `${base}/oauth/backchannel-logout/oidc/`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: {
      openid: ['sub', 'groups'],
      profile: ['preferred_username', 'given_name', 'family_name'],
      email: ['email'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: { body: string }, form: string) => {
          ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">End the session there</button>`;
        },
      },
    },
    // The package brings its own undici, whose requests the one in Node does not accept.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) => fetch(url, options),
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Session: 3600, Grant: 3600, AccessToken: 3600, IdToken: 3600, Interaction: 3600 },
    findAccount: (_: unknown, sub: string) =>
      people.has(sub) ? { accountId: sub, claims: () => ({ sub, ...people.get(sub) }) } : undefined,
    loadExistingGrant: async (ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const grant = new provider.Grant({ accountId: ctx.oidc.session.accountId, clientId: ctx.oidc.client.clientId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  const identities: Identities = {
    issuer,
    people,
    next: null,
    holding: undefined,
    end: async (sub, sid) => (await provider.Client.find(CLIENT.id)).backchannelLogout(sub, sid),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const finish = (req: IncomingMessage, res: ServerResponse, sub: string | null) =>
    provider.interactionFinished(req, res, sub === null ? { error: 'access_denied' } : { login: { accountId: sub } }, {
      mergeWithLastSubmission: false,
    });
  /** The page that a browser sees there: a form that asks who the user is, and believes the answer. */
  const interact = async (req: IncomingMessage, res: ServerResponse) => {
    if (!pages) return finish(req, res, identities.next);
    if (req.method !== 'POST') return void res.writeHead(200, { 'Content-Type': 'text/html' }).end(LOGIN_PAGE);
    let body = '';
    for await (const chunk of req) body += String(chunk);
    return finish(req, res, new URLSearchParams(body).get('sub'));
  };
  server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/token') await identities.holding?.();
    if (!req.url?.startsWith('/interaction/')) return callback(req, res);
    interact(req, res).catch((error: Error) => res.writeHead(500).end(error.stack));
  });
  return identities;
}
