import { bodyLimits, jsonOf } from '@cadastre/body';
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';

// Loaded when somebody has such a factor or comes for one: a start goes without.
const library = () => import('@simplewebauthn/server');

/** What browsers show beside a passkey. */
const NAME = 'Cadastre';
const TIMEOUT_MS = 120_000;

/** A passkey, as much of it as the server has. */
export interface Passkey {
  credential: string;
  publicKey: Uint8Array;
  count: number;
  transports: string[];
  rpId: string;
}

/** The relying party of a passkey: the name of our host as the browser sees it. A passkey works nowhere else. */
const rpIdOf = (base: string): string => new URL(base).hostname;

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'utf8'));
/** As the browser gives a challenge back. */
const given = (challenge: string): string => Buffer.from(challenge, 'utf8').toString('base64url');
type Transports = NonNullable<WebAuthnCredential['transports']>;

/** The JSON options with which a browser creates a passkey. Authenticators that hold an existing one are excluded. */
export async function creationOptions(
  { userId, username, name }: { userId: number; username: string; name: string },
  { challenge, base }: { challenge: string; base: string },
  there: readonly Passkey[],
): Promise<string> {
  const { generateRegistrationOptions } = await library();
  const rpId = rpIdOf(base);
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: rpId,
    userName: username,
    userDisplayName: name || username,
    userID: bytes(`user ${userId}`),
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: there
      .filter((one) => one.rpId === rpId)
      .map(({ credential, transports }) => ({ id: credential, transports: transports as Transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return JSON.stringify(options);
}

/**
 * The JSON options with which a browser asks for a passkey; without a list, for any one, which then identifies its
 * user.
 */
export async function requestOptions(
  { challenge, base }: { challenge: string; base: string },
  there: readonly Passkey[] | null,
): Promise<string> {
  const { generateAuthenticationOptions } = await library();
  const rpId = rpIdOf(base);
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: bytes(challenge),
    timeout: TIMEOUT_MS,
    // After a password, a passkey is the second factor and need not verify its user.
    userVerification: there ? 'discouraged' : 'required',
    ...(there
      ? {
          allowCredentials: there
            .filter((one) => one.rpId === rpId)
            .map(({ credential, transports }) => ({ id: credential, transports: transports as Transports })),
        }
      : {}),
  });
  return JSON.stringify(options);
}

/** What browsers answer is flat, and the longest text in it is that of a certificate. */
const RESPONSE = { ...bodyLimits.json, depth: 10, values: 500, text: 64 * 1024 };

/** What a browser has answered; undefined for anything else. */
function responseIn(text: string): { id: string } | undefined {
  try {
    const response = jsonOf(Buffer.from(text), RESPONSE).value as { id?: unknown } | null;
    return typeof response?.id === 'string' ? (response as { id: string }) : undefined;
  } catch {
    return undefined;
  }
}

/** The id of the passkey that an answer was made with; undefined for anything else. */
export const credentialIn = (text: string): string | undefined => responseIn(text)?.id;

/** The new passkey that a browser has made; null when the answer is not right. */
export async function created(text: string, { challenge, base }: { challenge: string; base: string }) {
  const response = responseIn(text);
  if (!response) return null;
  const { verifyRegistrationResponse } = await library();
  const rpId = rpIdOf(base);
  // The library throws at whatever is not as it should be; all of that came from outside.
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: given(challenge),
    expectedOrigin: base,
    expectedRPID: rpId,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { credential: id, publicKey, count: counter, transports, rpId } satisfies Passkey;
}

/** The signature counter of a passkey whose response is right; null if it is not. */
export async function proved(
  text: string,
  passkey: Passkey,
  { challenge, base, verifiesUser }: { challenge: string; base: string; verifiesUser: boolean },
): Promise<number | null> {
  const response = responseIn(text);
  // Browsers also let pages of subdomains use the passkey, and an attacker who relays their responses chooses the host
  // name of the request.
  if (!response || URL.parse(base)?.hostname !== passkey.rpId) return null;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: given(challenge),
    expectedOrigin: base,
    expectedRPID: passkey.rpId,
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.count,
      transports: passkey.transports as Transports,
    },
    requireUserVerification: verifiesUser,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}
