import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError } from './read-settings.ts';

/** The private half of a pair, and the name by which others find the public one. */
export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}
/** Public keys by that name, with their owners. An owner that changes its key has two for a while. */
export type PublicKeys = ReadonlyMap<string, { readonly owner: string; readonly key: KeyObject }>;

/** DER in base64, as settings have it, with or without the lines that make it PEM. */
const derOf = (text: string): Buffer => Buffer.from(text.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');

const checked = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  return key;
};
/** @throws for anything but an Ed25519 key */
export const readPrivateKey = (text: string): KeyObject =>
  checked(createPrivateKey({ key: derOf(text), format: 'der', type: 'pkcs8' }));
/** @throws for anything but an Ed25519 key */
export const readPublicKey = (text: string): KeyObject =>
  checked(createPublicKey({ key: derOf(text), format: 'der', type: 'spki' }));

/** A short text by which public keys are compared. */
export const fingerprint = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x).slice(0, 16);

const kidOf = (owner: string, key: KeyObject): string => `${owner}.${fingerprint(key)}`;
const publicKeys = (owner: string, keys: readonly KeyObject[]): PublicKeys =>
  new Map(keys.map((key) => [kidOf(owner, key), { owner, key }]));

/** The keys that a process is given; see `settings.ts`. */
interface GivenKeys {
  readonly identityKey: KeyObject | undefined;
  readonly identityPublicKeys: readonly KeyObject[];
  readonly serviceKey: KeyObject | undefined;
  readonly servicePublicKeys: ReadonlyMap<string, readonly KeyObject[]>;
}

/** The service that signs identities. */
const IDENTITY = 'identity';

/** The keys by which a process verifies identities. @throws ConfigError */
export function identityKeys({ identityPublicKeys }: Pick<GivenKeys, 'identityPublicKeys'>): PublicKeys {
  if (!identityPublicKeys.length) throw new ConfigError(['IDENTITY_PUBLIC_KEYS is required']);
  return publicKeys(IDENTITY, identityPublicKeys);
}

/** The key with which the gateway signs identities. @throws ConfigError */
export const identitySigningKey = ({
  identityKey,
  identityPublicKeys,
}: Pick<GivenKeys, 'identityKey' | 'identityPublicKeys'>): SigningKey =>
  signingKey('IDENTITY_KEY', IDENTITY, identityKey, 'IDENTITY_PUBLIC_KEYS', identityPublicKeys);

/** The keys by which a process verifies its callers. @throws ConfigError */
export function serviceKeys({ servicePublicKeys }: Pick<GivenKeys, 'servicePublicKeys'>): PublicKeys {
  if (!servicePublicKeys.size) throw new ConfigError(['SERVICE_PUBLIC_KEYS is required']);
  return new Map([...servicePublicKeys].flatMap(([name, keys]) => [...publicKeys(name, keys)]));
}

/** The key with which a process proves its identity to other services. @throws ConfigError */
export const serviceSigningKey = (
  { serviceKey, servicePublicKeys }: Pick<GivenKeys, 'serviceKey' | 'servicePublicKeys'>,
  name: string,
): SigningKey =>
  signingKey('SERVICE_KEY', name, serviceKey, `SERVICE_PUBLIC_KEYS of ${name}`, servicePublicKeys.get(name) ?? []);

/** A key that no other service can verify would otherwise be noticed late, and in another process. */
function signingKey(
  variable: string,
  owner: string,
  key: KeyObject | undefined,
  publicVariable: string,
  known: readonly KeyObject[],
): SigningKey {
  if (!key) throw new ConfigError([`${variable} is required`]);
  const own = fingerprint(createPublicKey(key));
  if (!known.some((one) => fingerprint(one) === own))
    throw new ConfigError([`${variable} belongs to none of the ${publicVariable}`]);
  return { kid: `${owner}.${own}`, key };
}
