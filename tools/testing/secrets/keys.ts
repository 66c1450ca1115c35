import { newKeyPair } from '@cadastre/service/new-keys';

/** The settings of each of some services about keys, with pairs made for this test. */
export function testKeys(...services: readonly string[]): (service: string) => Record<string, string> {
  const identity = newKeyPair();
  const pairs = new Map(services.map((name) => [name, newKeyPair()]));
  const publicKeys = {
    IDENTITY_PUBLIC_KEYS: identity.public,
    SERVICE_PUBLIC_KEYS: JSON.stringify(Object.fromEntries([...pairs].map(([name, pair]) => [name, pair.public]))),
  };
  return (service) => ({
    ...publicKeys,
    SERVICE_KEY: pairs.get(service)!.private,
    ...(service === 'gateway' ? { IDENTITY_KEY: identity.private, SERVICE_SECRET: 's'.repeat(32) } : {}),
  });
}
