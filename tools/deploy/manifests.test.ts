// Every service and every setting must appear in the deployments; a new one is easily forgotten there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { identitySigningKey, serviceSigningKey } from '@cadastre/service/key-pairs';
import { parse, parseAllDocuments } from 'yaml';
import { nodeOptions } from '../local/supervisor/plan/node-options.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const services = readdirSync(join(root, 'services'))
  .filter((name) => existsSync(join(root, 'services', name, 'main.ts')))
  .sort();
const withDatabases = services.filter((name) => existsSync(join(root, 'services', name, 'migrations')));
const addresses = services
  .filter((name) => name !== 'gateway')
  .flatMap((name) => [
    [`${name.toUpperCase()}_HTTP_URL`, `http://${name}:8000`] as const,
    // A service without tables answers no calls.
    ...(withDatabases.includes(name) ? [[`${name.toUpperCase()}_GRPC_ADDRESS`, `${name}:50051`] as const] : []),
  ]);

type Environment = Record<string, string | null>;
interface ComposeService {
  command?: string[];
  profiles?: string[];
  environment?: Environment;
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };

/** A variable that must be in .env, with an optional message for when it is missing. */
const asked = (name: string): RegExp => new RegExp(`^\\$\\{${name}:\\?[^}]*\\}$`);

describe('docker-compose.yml', () => {
  test.each(services)('runs %s', (name) => {
    const { command, profiles, environment = {} } = compose.services[name] ?? {};
    expect([command, profiles]).toEqual([['node', `services/${name}/main.ts`], ['each']]);
    expect(environment).toMatchObject(Object.fromEntries(addresses));
  });

  test.each(withDatabases)('gives %s a database and migrates it first', (name) => {
    const password = `\${${name.toUpperCase()}_DATABASE_PASSWORD:?}`;
    expect(compose.services[name]?.environment?.DATABASE_URL).toBe(
      `postgres://cadastre_${name}:${password}@postgres:5432`,
    );
    expect(compose.services.migrate?.environment).toMatchObject({
      [`${name.toUpperCase()}_DATABASE_URL`]: `postgres://cadastre_${name}:${password}@postgres:5432/cadastre_${name}`,
    });
  });

  test.each(services)('gives %s its own key, and to the gateway alone what makes sessions and identities', (name) => {
    const { environment = {} } = compose.services[name] ?? {};
    expect(environment.SERVICE_KEY).toMatch(asked(`${name.toUpperCase()}_SERVICE_KEY`));
    expect(['SERVICE_SECRET', 'IDENTITY_KEY'].filter((one) => one in environment)).toEqual(
      name === 'gateway' ? ['SERVICE_SECRET', 'IDENTITY_KEY'] : [],
    );
  });

  describe('in the small form', () => {
    const { cadastre, deliveries } = compose.services;
    const hosted = services.filter((name) => name !== 'webhooks');

    test('has all services in two processes', () => {
      const [node, main, folder, ...names] = cadastre?.command ?? [];
      expect([node, main, folder]).toEqual(['node', 'packages/service/src/host/main.ts', 'services']);
      expect([...names].sort()).toEqual(hosted);
      expect(existsSync(join(root, main!))).toBe(true);
      expect(deliveries?.command).toEqual(compose.services.webhooks?.command);
      expect([cadastre, deliveries].map((one) => one?.profiles)).toEqual([['small'], ['small']]);
    });

    test.each(hosted)('gives %s its own by its name, and the deliveries its address', (name) => {
      const given = cadastre!.environment!;
      const upper = name.toUpperCase();
      expect(given[`${upper}_SERVICE_KEY`]).toMatch(asked(`${upper}_SERVICE_KEY`));
      if (!withDatabases.includes(name)) return;
      expect(given[`${upper}_DATABASE_URL`]).toBe(compose.services.migrate?.environment?.[`${upper}_DATABASE_URL`]);
      const address = `cadastre:${given[`${upper}_GRPC_PORT`]}`;
      expect([given, deliveries!.environment!].map((one) => one[`${upper}_GRPC_ADDRESS`])).toEqual([address, address]);
    });

    test('hands on what it hands on in the other form, and has its event log in PostgreSQL', () => {
      const names = (some: readonly (ComposeService | undefined)[]) =>
        new Set(some.flatMap((one) => Object.keys(one?.environment ?? {})));
      const small = names([cadastre, deliveries]);
      const each = names(services.map((name) => compose.services[name]));
      // The addresses of services, and the variables of each service alone.
      const another = /^(KAFKA_BROKERS|[A-Z]+_HTTP_URL)$/;
      expect([...each].filter((name) => !small.has(name) && !another.test(name))).toEqual([]);
      const log = compose.services.migrate?.environment?.EVENTS_DATABASE_URL;
      expect(log).toContain('/cadastre_events');
      expect([cadastre, deliveries].map((one) => one?.environment?.EVENTS_DATABASE_URL)).toEqual([log, log]);
    });

    test('keeps from the deliveries what only others may know', () => {
      const given = Object.keys(deliveries!.environment!);
      expect(given).toContain('SECRETS_KEYS');
      for (const name of ['SERVICE_SECRET', 'IDENTITY_KEY', 'API_TOKEN_PEPPERS', 'SUPERUSER_PASSWORD'])
        expect(given).not.toContain(name);
      expect(Object.keys(cadastre!.environment!)).not.toContain('SECRETS_KEYS');
    });
  });

  test('hands on every setting that docs/configuration.md describes', () => {
    // Variables that the file itself sets, or that only an external Kafka needs.
    const fixed = [
      'DATA_DIR',
      'PROCESSES',
      'SCHEDULING',
      'LISTEN_HOST',
      'HTTP_PORT',
      'GRPC_PORT',
      'OPERATIONS_PORT',
      'OPERATIONS_HOST',
      'EVENTS_DATABASE_URL',
      'KAFKA_REPLICATION_FACTOR',
      'KAFKA_TLS',
      'KAFKA_TLS_CA_FILE',
      'KAFKA_TLS_CERT_FILE',
      'KAFKA_TLS_KEY_FILE',
      'KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_USERNAME',
      'KAFKA_SASL_PASSWORD',
      'DATABASE_WAIT_MS',
      'PORT',
    ];
    const documented = [...read('docs/configuration.md').matchAll(/^\| `([A-Z0-9_]+)` \|/gm)]
      .map((row) => row[1]!)
      .filter((name) => !fixed.includes(name));
    const given = new Set(Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment)));
    expect(documented.filter((name) => !given.has(name))).toEqual([]);
  });

  test('asks for no secret that make-env.sh does not make', () => {
    const asked = new Set([...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]!));
    const folder = mkdtempSync(join(tmpdir(), 'cadastre-env-'));
    const path = join(folder, '.env');
    try {
      execFileSync('/bin/sh', [join(root, 'tools/deploy/make-env.sh'), path], { stdio: 'ignore' });
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const first = readFileSync(path, 'utf8');
      execFileSync('/bin/sh', [join(root, 'tools/deploy/make-env.sh'), path], { stdio: 'ignore' });
      expect(readFileSync(path, 'utf8')).toBe(first);
      // An .env from before there were keys and forms.
      const before = first.replace(/^.*(_KEYS?=|# Keys|COMPOSE_PROFILES=|EVENTS_DATABASE_PASSWORD=).*\n/gm, '');
      writeFileSync(path, before);
      execFileSync('/bin/sh', [join(root, 'tools/deploy/make-env.sh'), path], { stdio: 'ignore' });
      const added = readFileSync(path, 'utf8');
      expect([added.startsWith(before), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
      expect(added).toContain('\nCOMPOSE_PROFILES=each\n');
      expectSecrets(added, asked);
      // An .env from before a service was added.
      const shared = /^SERVICE_PUBLIC_KEYS='(.*)'$/m.exec(first)![1]!;
      const { web: _, ...older } = JSON.parse(shared) as Record<string, string>;
      writeFileSync(path, first.replace(/^WEB_SERVICE_KEY=.*\n/m, '').replace(shared, JSON.stringify(older)));
      execFileSync('/bin/sh', [join(root, 'tools/deploy/make-env.sh'), path], { stdio: 'ignore' });
      const completed = readFileSync(path, 'utf8');
      expectSecrets(completed, asked);
      expect(JSON.parse(/^SERVICE_PUBLIC_KEYS='(.*)'$/m.exec(completed)![1]!)).toMatchObject(older);
      expect(completed.match(/^SERVICE_PUBLIC_KEYS=/gm)).toHaveLength(1);
      expectSecrets(first, asked);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function expectSecrets(file: string, asked: ReadonlySet<string>): void {
  const made = new Map([...file.matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match) => [match[1]!, match[2]!]));
  expect([...asked].filter((name) => !made.has(name))).toEqual([]);
  expect(made.get('SERVICE_SECRET')!.length).toBeGreaterThanOrEqual(32);
  expect(made.get('SECRETS_KEYS')!.length).toBeGreaterThanOrEqual(32);
  const peppers = JSON.parse(made.get('API_TOKEN_PEPPERS')!.slice(1, -1)) as Record<string, string>;
  expect(peppers['1']!.length).toBeGreaterThanOrEqual(50);
  const value = (name: string) => made.get(name)!.slice(1, -1);
  const common = {
    IDENTITY_PUBLIC_KEYS: value('IDENTITY_PUBLIC_KEYS'),
    SERVICE_PUBLIC_KEYS: value('SERVICE_PUBLIC_KEYS'),
  };
  for (const name of services)
    expect(
      serviceSigningKey(loadConfig({ ...common, SERVICE_KEY: value(`${name.toUpperCase()}_SERVICE_KEY`) }), name).kid,
    ).toContain(name);
  expect(identitySigningKey(loadConfig({ ...common, IDENTITY_KEY: value('IDENTITY_KEY') })).kid).toContain('identity');
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}
interface Container {
  command?: string[];
  env?: Variable[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  stringData?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[]; initContainers?: Container[] } } };
}
const manifests = (path: string): Manifest[] =>
  parseAllDocuments(read(path)).map((document) => document.toJS() as Manifest);

describe('k8s', () => {
  const secrets = new Map(
    manifests('k8s/examples/secrets.yaml').map(({ metadata, stringData }) => [
      metadata.name,
      new Set(Object.keys(stringData ?? {})),
    ]),
  );

  test.each(services)('runs %s with a service and a disruption budget', (name) => {
    expect((parse(read('k8s/base/kustomization.yaml')) as { resources: string[] }).resources).toContain(`${name}.yaml`);
    const all = manifests(`k8s/base/${name}.yaml`);
    expect(all.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      `Deployment/${name}`,
      `Service/${name}`,
      `PodDisruptionBudget/${name}`,
    ]);
    const { containers, initContainers = [] } = all[0]!.spec!.template!.spec;
    expect(containers.map(({ command }) => command)).toEqual([['node', `services/${name}/main.ts`]]);
    const needsDatabase = withDatabases.includes(name);
    expect(initContainers.map(({ command }) => command)).toEqual(
      needsDatabase ? [['node', 'tools/deploy/migrate.ts', name]] : [],
    );
    if (needsDatabase)
      for (const { env } of [...containers, ...initContainers])
        expect(env?.map((one) => one.name)).toContain(`${name.toUpperCase()}_DATABASE_URL`);
  });

  test.each(services)('gives %s its own key, and to the gateway alone what makes sessions and identities', (name) => {
    const env = manifests(`k8s/base/${name}.yaml`)[0]!.spec!.template!.spec.containers.flatMap((one) => one.env ?? []);
    expect(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'cadastre-keys')).toEqual([
      {
        name: 'SERVICE_KEY',
        valueFrom: { secretKeyRef: { name: 'cadastre-keys', key: `${name.toUpperCase()}_SERVICE_KEY` } },
      },
    ]);
    expect(
      env.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'cadastre-gateway').map((one) => one.name),
    ).toEqual(name === 'gateway' ? ['SERVICE_SECRET', 'IDENTITY_KEY'] : []);
    // The variables for all services contain no secret of one of them.
    expect(
      [...secrets.get('cadastre')!].filter((key) => !key.startsWith('KAFKA') && !key.endsWith('PUBLIC_KEYS')),
    ).toEqual([]);
  });

  test('the keys for them are made as they are asked for', () => {
    const made = parseAllDocuments(
      execFileSync(process.execPath, [join(root, 'tools/deploy/keys.ts'), '--kubernetes'], { encoding: 'utf8' }),
    ).map((one) => one.toJS() as Manifest);
    for (const { metadata, stringData } of made)
      expect([...secrets.get(metadata.name)!].filter((key) => key !== 'SERVICE_SECRET').sort()).toEqual(
        Object.keys(stringData!).sort(),
      );
  });

  test('names every address', () => {
    const given = new Map(
      [...read('k8s/base/addresses.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match) => [match[1]!, match[2]!]),
    );
    expect(Object.fromEntries(given)).toEqual(Object.fromEntries(addresses));
  });

  describe('in the small form', () => {
    const folder = 'k8s/overlays/small';
    const [gateway] = manifests(`${folder}/gateway.yaml`);
    const { containers, initContainers = [] } = gateway!.spec!.template!.spec;
    const [, , , ...hosted] = containers[0]!.command!;
    const given = new Map(containers[0]!.env!.map((one) => [one.name, one]));
    const { patches } = parse(read(`${folder}/kustomization.yaml`)) as {
      patches: { target?: { kind: string; name: string }; patch?: string }[];
    };

    test('has all services in two pods, and migrates what it hosts first', () => {
      expect(containers[0]!.command!.slice(0, 3)).toEqual(['node', 'packages/service/src/host/main.ts', 'services']);
      expect([...hosted, 'webhooks'].sort()).toEqual(services);
      expect(initContainers[0]!.command!.slice(2)).toEqual(hosted.filter((name) => withDatabases.includes(name)));
      const gone = patches
        .filter(({ target, patch }) => target?.kind !== 'Service' && patch?.startsWith('$patch: delete'))
        .map(({ target }) => target!);
      expect(gone.map(({ kind, name }) => [kind, name.split('|')])).toEqual(
        ['Deployment', 'PodDisruptionBudget'].map((kind) => [kind, hosted.filter((name) => name !== 'gateway')]),
      );
    });

    test('keeps in the pod what the gateway alone asks', () => {
      const gone = patches.filter(
        ({ target, patch }) => target?.kind === 'Service' && patch?.startsWith('$patch: delete'),
      );
      expect(gone.map(({ target }) => target!.name)).toEqual(
        hosted.filter((name) => name !== 'gateway' && !withDatabases.includes(name)),
      );
      for (const name of hosted) {
        const key = name.toUpperCase();
        expect(given.get(`${key}_SERVICE_KEY`)?.valueFrom?.secretKeyRef?.key).toBe(`${key}_SERVICE_KEY`);
      }
    });

    test.each(withDatabases.filter((name) => name !== 'webhooks'))(
      'lets others find %s in the pod, with its own key and database',
      (name) => {
        const upper = name.toUpperCase();
        const port = given.get(`${upper}_GRPC_PORT`)?.value;
        const moved = patches.find(({ target }) => target?.kind === 'Service' && target.name === name)!.patch;
        expect(moved).toContain(`targetPort: ${port}, appProtocol: grpc`);
        expect(moved).toContain('app.kubernetes.io/component: gateway');
        for (const variable of [`${upper}_SERVICE_KEY`, `${upper}_DATABASE_URL`])
          expect(given.get(variable)?.valueFrom?.secretKeyRef?.key).toBe(variable);
      },
    );

    test('keeps the event log in PostgreSQL', () => {
      expect(read(`${folder}/settings.env`)).toMatch(/^KAFKA_BROKERS=$/m);
      for (const name of ['gateway', 'webhooks'])
        expect(
          manifests(`${folder}/${name}.yaml`)[0]!.spec!.template!.spec.containers[0]!.env!.map((one) => one.name),
        ).toContain('EVENTS_DATABASE_URL');
    });
  });

  test('asks for no secret that the example does not have', () => {
    const files = [
      ...services.map((name) => `k8s/base/${name}.yaml`),
      'k8s/databases/job.yaml',
      'k8s/overlays/with-servers/postgres.yaml',
      'k8s/overlays/small/gateway.yaml',
      'k8s/overlays/small/webhooks.yaml',
    ];
    const asked = files
      .flatMap(manifests)
      .flatMap(({ spec }) => [
        ...(spec?.template?.spec.containers ?? []),
        ...(spec?.template?.spec.initContainers ?? []),
      ])
      .flatMap(({ env = [] }) => env)
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(asked.length).toBeGreaterThan(2 * withDatabases.length);
    expect(
      asked
        .filter(({ name, key }) => !secrets.get(name)?.has(key))
        .filter(({ key }) => !['SUPERUSER_API_TOKEN', 'OIDC_CLIENT_SECRET', 'LDAP_BIND_PASSWORD'].includes(key)),
    ).toEqual([]);
  });
});

test('the image gives processes as much memory as npm start does', () => {
  expect(read('Dockerfile')).toContain(`NODE_OPTIONS="${nodeOptions(1)}"`);
  const many = nodeOptions(8);
  expect(compose.services.cadastre?.environment).toMatchObject({ NODE_OPTIONS: many });
  expect(read('k8s/overlays/small/gateway.yaml')).toContain(`{name: NODE_OPTIONS, value: "${many}"}`);
});

test('what the image is made of is let into its build', () => {
  const included = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!);
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words]) =>
    words!.split(/\s+/).slice(0, -1),
  );
  expect(sources.length).toBeGreaterThan(8);
  expect(sources.filter((path) => !included.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
