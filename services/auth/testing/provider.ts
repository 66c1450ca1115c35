import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

interface Told {
  status?: number;
  json: unknown;
}
type Tells = (body: URLSearchParams, req: IncomingMessage) => Told | Promise<Told>;

/** A provider that says what a test wants it to say, right or wrong. */
export interface Teller {
  issuer: string;
  /** The key that it publishes, and one that it does not. */
  keys: { own: CryptoKey; foreign: CryptoKey };
  /** What it answers with, by path; a test may put others in their place. */
  answers: Map<string, Tells>;
  /** How often each path was asked for. */
  asked: Map<string, number>;
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey): Promise<string>;
  stop(): Promise<void>;
}

export async function startTeller(): Promise<Teller> {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked: Teller['asked'] = new Map();
  const answers: Teller['answers'] = new Map<string, Tells>([
    [
      '/.well-known/openid-configuration',
      () => ({
        json: {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          end_session_endpoint: `${issuer}/end`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        },
      }),
    ],
    ['/keys', () => ({ json: { keys: [jwk] } })],
  ]);
  server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
    const path = req.url!.split('?')[0]!;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    let body = '';
    for await (const chunk of req) body += String(chunk);
    const { status = 200, json } = (await answers.get(path)?.(new URLSearchParams(body), req)) ?? {
      status: 404,
      json: {},
    };
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  });
  return {
    issuer,
    keys: { own: own.privateKey, foreign: foreign.privateKey },
    answers,
    asked,
    sign: (claims, header = {}, key = own.privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
