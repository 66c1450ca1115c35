// Every process of the deployments gets the variables that its services require, and no secret of others.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Config, peerGrpcAddress, peerHttpUrl, serviceDatabaseUrl } from '@cadastre/service';
import { configsOf } from '@cadastre/service/host/configs';
import { ownVariables } from '@cadastre/service/host/settings';
import { identitySigningKey, serviceSigningKey } from '@cadastre/service/key-pairs';
import { parseAllDocuments } from 'yaml';
import { type Container, composed, hasKubectl, hostedBy, type Manifest, overlays, rendered } from './rendered.ts';

const root = resolve(import.meta.dirname, '../..');
const services = readdirSync(join(root, 'services')).filter((name) =>
  existsSync(join(root, 'services', name, 'main.ts')),
);
const withDatabases = services.filter((name) => existsSync(join(root, 'services', name, 'migrations')));

/** An .env file made by following the instructions, with every optional variable set too. */
const known: Record<string, string> = {
  ...environmentMade(),
  SUPERUSER_EMAIL: 'admin@example.com',
  SUPERUSER_API_TOKEN: '0123456789abcdef0123456789abcdef01234567',
  OIDC_CLIENT_SECRET: 'the secret of a client',
  LDAP_BIND_PASSWORD: 'the password of an account',
};

function environmentMade(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-env-'));
  try {
    const file = join(folder, '.env');
    execFileSync('/bin/sh', [join(root, 'tools/deploy/make-env.sh'), file], { stdio: 'ignore' });
    return Object.fromEntries(
      [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(?:'(.*)'|(.*))$/gm)].map(([, name, quoted, plain]) => [
        name!,
        quoted ?? plain!,
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks that services have the variables that they must have. */
function check(names: readonly string[], env: Record<string, string>): void {
  const { of } = configsOf(env, names);
  for (const name of names) {
    const { config, env: own } = of.get(name)!;
    for (const variable of ownVariables[name] ?? [])
      expect({ [`${variable} of ${name}`]: own[variable] }).toEqual({ [`${variable} of ${name}`]: known[variable] });
    expect(serviceSigningKey(config, name).kid).toContain(name);
    expect([config.identityPublicKeys.length, config.servicePublicKeys.size]).toEqual([1, services.length]);
    if (name === 'gateway') expect(identitySigningKey(config).kid).toContain('identity');
    if (withDatabases.includes(name))
      expect(new URL(serviceDatabaseUrl(config, name)).pathname).toBe(`/cadastre_${name}`);
    if (name !== 'web') expect(config.kafkaBrokers.length > 0 || config.eventsDatabaseUrl !== undefined).toBe(true);
    findsOthers(config, names);
  }
  const strangers = Object.entries(ownVariables)
    .filter(([owner]) => !names.includes(owner))
    .flatMap(([, variables]) => variables);
  expect(strangers.filter((variable) => variable in env)).toEqual([]);
}

/** A process must find the services that it does not host. Nothing but clients calls the gateway. */
function findsOthers(config: Config, hosted: readonly string[]): void {
  for (const other of services.filter((name) => name !== 'gateway' && !hosted.includes(name))) {
    if (withDatabases.includes(other)) expect(peerGrpcAddress(config, other)).toMatch(/:\d+$/);
    // Only the gateway and the web pages call others by HTTP, for files and lists.
    if (hosted.includes('gateway')) expect(peerHttpUrl(config, other)).toMatch(/^http:/);
  }
}

describe.each(['each', 'small'])('docker-compose.yml, %s', (form) => {
  const processes = Object.entries(composed({ ...known, COMPOSE_PROFILES: form })).filter(
    ([, { profiles = [], command }]) => profiles.includes(form) && command?.[0] === 'node',
  );
  test('runs every service once', () => {
    expect(processes.flatMap(([, { command }]) => hostedBy(command)).sort()).toEqual([...services].sort());
  });
  test.each(processes)('%s has what it asks for', (_name, { command, environment }) => {
    check(hostedBy(command), environment as Record<string, string>);
  });
});

(hasKubectl ? describe.each(overlays) : describe.skip.each(overlays))('%s', (folder) => {
  const objects = hasKubectl ? rendered(folder) : [];
  const secrets = exampleSecrets();
  const pods = objects.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));
  const processes = pods
    .flatMap(({ containers }) => containers)
    .filter(({ command }) => hostedBy(command).length > 0)
    .map((container) => [hostedBy(container.command).join(', '), container] as const);

  test('runs every service once', () => {
    expect(processes.flatMap(([, { command }]) => hostedBy(command)).sort()).toEqual([...services].sort());
  });
  test.each(processes)('%s: has what is asked for', (_names, container) => {
    check(hostedBy(container.command), environmentOf(container, objects, secrets));
  });
  test('each database is migrated before its service starts, with an address of its own', () => {
    const migrated = pods.flatMap(({ initContainers = [] }) =>
      initContainers.flatMap((one) => {
        const names = one.command!.slice(2);
        const env = environmentOf(one, objects, secrets);
        for (const name of names) expect(env).toHaveProperty(`${name.toUpperCase()}_DATABASE_URL`);
        return names;
      }),
    );
    expect(migrated.sort()).toEqual([...withDatabases].sort());
  });
});

/** The secrets of the example, with values. */
function exampleSecrets(): Map<string, Record<string, string>> {
  const documents = parseAllDocuments(readFileSync(join(root, 'k8s/examples/secrets.yaml'), 'utf8'));
  return new Map(
    documents
      .map((document) => document.toJS() as { metadata: { name: string }; stringData: Record<string, string> })
      .map(({ metadata, stringData }) => [
        metadata.name,
        Object.fromEntries(
          // Variables that the example has commented out may be set as well.
          Object.keys({ ...stringData, ...(metadata.name === 'cadastre-accounts' ? optional() : {}) }).map((key) => [
            key,
            known[key] ?? stringData[key]!,
          ]),
        ),
      ]),
  );
}
function optional(): Record<string, string> {
  return Object.fromEntries(
    ['SUPERUSER_API_TOKEN', 'OIDC_CLIENT_SECRET', 'LDAP_BIND_PASSWORD'].map((name) => [name, known[name]!]),
  );
}

/** The variables of a container, as its pod gets them. A required secret that does not exist is an error. */
function environmentOf(
  { env = [], envFrom = [] }: Container,
  objects: readonly Manifest[],
  secrets: ReadonlyMap<string, Record<string, string>>,
): Record<string, string> {
  const settings = (name: string) => objects.find((one) => one.kind === 'ConfigMap' && one.metadata.name === name)!;
  const all: Record<string, string> = {};
  for (const { configMapRef, secretRef } of envFrom)
    Object.assign(all, configMapRef ? settings(configMapRef.name).data : secrets.get(secretRef!.name));
  for (const { name, value, valueFrom } of env) {
    const from = valueFrom?.secretKeyRef;
    const found = from ? secrets.get(from.name)?.[from.key] : value;
    if (found === undefined && !from?.optional) throw new Error(`${name} is in no secret of the example`);
    if (found !== undefined) all[name] = found;
  }
  return all;
}
