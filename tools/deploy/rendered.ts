// The Kubernetes manifests as they are applied, and the Compose file as Compose reads it, for tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const root = resolve(import.meta.dirname, '../..');

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name?: string; containerPort: number }[];
  resources?: { limits?: { memory?: string } };
}

export interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: {
    selector?: Record<string, string> | { matchLabels: Record<string, string> };
    ports?: { name?: string; port: number; targetPort: string | number }[];
    rules?: {
      http: {
        paths: { path: string; pathType: string; backend: { service: { name: string; port: { name: string } } } }[];
      };
    }[];
    template?: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; initContainers?: Container[] };
    };
  };
}

export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** The folders that are applied as a whole, from the root of the project. */
export const overlays = [
  'k8s',
  ...readdirSync(join(root, 'k8s/overlays')).map((name) => join('k8s/overlays', name)),
].sort();

/** All objects that a folder renders to. */
export const rendered = (folder: string): Manifest[] =>
  parseAllDocuments(
    execFileSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  ).map((document) => document.toJS() as Manifest);

export interface ComposeService {
  image?: string;
  command?: string[];
  profiles?: string[];
  environment?: Record<string, string | null>;
  mem_limit?: string;
  tmpfs?: string[];
}

/** Expands `${NAME:-default}` and similar. A required variable that is not set is empty. */
const substituted = (text: string, env: Record<string, string>): string =>
  text.replace(/\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other = '') =>
    env[name] ? env[name] : kind === '-' ? other : '',
  );

/** The services of docker-compose.yml with the variables of .env; a variable that is not set is left out. */
export function composed(env: Record<string, string> = {}): Record<string, ComposeService> {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  const read = <T>(given: T): T =>
    typeof given === 'string'
      ? (substituted(given, env) as T)
      : Array.isArray(given)
        ? (given.map(read) as T)
        : given && typeof given === 'object'
          ? (Object.fromEntries(Object.entries(given).map(([name, value]) => [name, read(value)])) as T)
          : given;
  return Object.fromEntries(
    Object.entries(services).map(([name, { environment = {}, ...service }]) => [
      name,
      {
        ...read(service),
        environment: Object.fromEntries(
          Object.entries(environment).flatMap(([key, value]) => {
            const found = value === null ? env[key] : read(String(value));
            return found === undefined ? [] : [[key, found]];
          }),
        ),
      },
    ]),
  );
}

/** The services that a command of the image runs; none for other programs. */
export function hostedBy(command: readonly string[] = []): string[] {
  const [node, file = '', folder, ...names] = command;
  if (node !== 'node') return [];
  if (file === 'packages/service/src/host/main.ts' && folder === 'services') return names;
  const one = /^services\/([a-z-]+)\/main\.ts$/.exec(file)?.[1];
  return one ? [one] : [];
}

/** Megabytes of a memory size, in the notation of Kubernetes or of Compose. */
export function megabytes(size: string): number {
  const [, number, unit = ''] = /^(\d+)([a-zA-Z]*)$/.exec(size)!;
  const factor = { Mi: 1, m: 1, Gi: 1024, g: 1024 }[unit];
  if (factor === undefined) throw new Error(`${size} is in no unit that is known here`);
  return Number(number) * factor;
}
