// Prints new key pairs for an installation: lines for .env, Kubernetes secrets, or one pair for a key that is changed.
// Needs nothing but Node, not even an installation; docs/operations.md says how it is used.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newKeyPair } from '../../packages/service/src/new-keys.ts';

const folder = resolve(import.meta.dirname, '..', '..', 'services');
const services = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'main.ts')))
  .sort();
const usage = `node tools/deploy/keys.ts [--kubernetes | --pair]

Prints new keys as lines for .env, as Kubernetes secrets, or a single pair.
`;

const identity = newKeyPair();
const pairs = services.map((name) => ({ name, ...newKeyPair() }));
const own = pairs.map((pair): [string, string] => [`${pair.name.toUpperCase()}_SERVICE_KEY`, pair.private]);
const shared: [string, string][] = [
  ['IDENTITY_PUBLIC_KEYS', identity.public],
  ['SERVICE_PUBLIC_KEYS', JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair.name, pair.public])))],
];

const forEnv = (): string =>
  [['IDENTITY_KEY', identity.private], ...own, ...shared].map(([name, value]) => `${name}='${value}'\n`).join('');

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
  '--pair': () => `private: ${identity.private}\npublic: ${identity.public}\n`,
};
const print = forms[process.argv.slice(2).join(' ')];
if (print) process.stdout.write(print());
else {
  process.stderr.write(usage);
  process.exit(2);
}
