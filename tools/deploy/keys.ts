// Prints new key pairs for an installation: lines for .env, Kubernetes secrets, those that an older .env lacks, or one
// pair to replace a key. Needs only Node, not even an installation; docs/operations.md explains how to use it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newKeyPair } from '../../packages/service/src/security/new-keys.ts';

const folder = resolve(import.meta.dirname, '../../services');
const services = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'main.ts')))
  .sort();
const usage = `node tools/deploy/keys.ts [--kubernetes | --missing | --pair]

Prints new keys as lines for .env, as Kubernetes secrets, or a single pair. With --missing it reads an .env and prints the lines of
the services that have no key there.
`;

const identity = newKeyPair();
const pairs = services.map((name) => ({ name, ...newKeyPair() }));
const keyName = (service: string): string => `${service.toUpperCase()}_SERVICE_KEY`;
const own = pairs.map((pair): [string, string] => [keyName(pair.name), pair.private]);
const shared: [string, string][] = [
  ['IDENTITY_PUBLIC_KEYS', identity.public],
  ['SERVICE_PUBLIC_KEYS', JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair.name, pair.public])))],
];

const lines = (values: readonly (readonly [string, string])[]): string =>
  values.map(([name, value]) => `${name}='${value}'\n`).join('');
const forEnv = (): string => lines([['IDENTITY_KEY', identity.private], ...own, ...shared]);

/** For services that are newer than an .env: their keys, and the shared list of public keys, with theirs. */
function missing(): string {
  const env = readFileSync(0, 'utf8');
  const fresh = pairs.filter(({ name }) => !new RegExp(`^${keyName(name)}=`, 'm').test(env));
  if (!fresh.length) return '';
  const known = JSON.parse(/^SERVICE_PUBLIC_KEYS='(.*)'$/m.exec(env)?.[1] ?? '{}') as Record<string, unknown>;
  for (const pair of fresh) known[pair.name] = pair.public;
  return lines([
    ...fresh.map((pair) => [keyName(pair.name), pair.private] as const),
    ['SERVICE_PUBLIC_KEYS', JSON.stringify(known)],
  ]);
}

const secret = (name: string, values: readonly [string, string][]): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: cadastre\ntype: Opaque\nstringData:\n${values.map(([key, value]) => `  ${key}: '${value}'\n`).join('')}`;
const forKubernetes = (): string =>
  [
    secret('cadastre', shared),
    secret('cadastre-gateway', [['IDENTITY_KEY', identity.private]]),
    secret('cadastre-keys', own),
  ].join('---\n');

const forms: Record<string, () => string> = {
  '': forEnv,
  '--kubernetes': forKubernetes,
  '--missing': missing,
  '--pair': () => `private: ${identity.private}\npublic: ${identity.public}\n`,
};
const print = forms[process.argv.slice(2).join(' ')];
if (print) process.stdout.write(print());
else {
  process.stderr.write(usage);
  process.exit(2);
}
