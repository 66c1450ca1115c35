// What clients can request at the gateway they can request through the Ingress of Kubernetes, and nothing else.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { collectionsOf } from '@cadastre/service/collections';
import { documentationPaths } from '../../services/gateway/answer/documentation.ts';
import { OIDC } from '../../services/gateway/pages/login/sso.ts';
import { routes } from '../../services/gateway/forward/routes.ts';
import { filesServedBy, pagesOf } from '../../services/gateway/forward/served.ts';
import { hasKubectl, type Manifest, overlays, rendered } from '../../tools/deploy/rendered.ts';
import { useSystem } from '../support/system.ts';

const used = useSystem();
const catalogue = await loadCatalogue(fileURLToPath(new URL('../../services', import.meta.url)));
/** The paths in the tables of the gateway. */
const table = [
  ...routes(collectionsOf(catalogue), filesServedBy(catalogue)).map(({ prefix }) => prefix),
  ...[...pagesOf(catalogue)].map((part) => (part === '' ? '/' : `/${part}/`)),
  ...documentationPaths,
  ...Object.values(OIDC),
  '/api/',
  '/api/status/',
  '/login/',
  '/logout/',
];
/** The paths for operators and for the services among themselves. */
const withheld = ['/metrics', '/health/live', '/health/ready', '/internal/', '/internal/workers/', '/debug/'];

/** The name and the port of the container that gets a request for a path; undefined where the Ingress has no rule. */
function reached(objects: readonly Manifest[], path: string): { component: string; port: number } | undefined {
  const rules = objects.find(({ kind }) => kind === 'Ingress')!.spec!.rules!.flatMap(({ http }) => http.paths);
  const rule = rules
    .filter((one) =>
      one.pathType === 'Exact' ? one.path === path : `${path}/`.startsWith(`${one.path.replace(/\/$/, '')}/`),
    )
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!rule) return undefined;
  const { name, port } = rule.backend.service;
  const service = objects.find((one) => one.kind === 'Service' && one.metadata.name === name)!.spec!;
  const { targetPort } = service.ports!.find((one) => one.name === port.name)!;
  const selector = Object.entries(service.selector as Record<string, string>);
  const pods = objects.filter(
    ({ spec }) => spec?.template && selector.every(([key, value]) => spec.template!.metadata.labels[key] === value),
  );
  expect(pods).toHaveLength(1);
  const { containers } = pods[0]!.spec!.template!.spec;
  const found = containers.flatMap(({ ports = [] }) => ports).filter((one) => one.name === targetPort);
  expect(found).toHaveLength(1);
  return { component: pods[0]!.metadata.name, port: found[0]!.containerPort };
}

let asked: string[] = [];
beforeAll(async () => {
  const document = (await used.admin.get('/api/schema/?format=json')).body as { paths: Record<string, unknown> };
  const links = await Promise.all(
    ['/login/', '/'].map(async (page) => {
      const html = await (await fetch(`${used.system.base}${page}`)).text();
      return [...html.matchAll(/ (?:href|src|action)="(\/[^"?#]*)/g)].map(([, path]) => path!);
    }),
  );
  asked = [...new Set([...table, ...Object.keys(document.paths), ...links.flat()])];
});

test('the gateway serves all of them, and nothing of what is withheld', async () => {
  const status = async (path: string): Promise<number> =>
    (await fetch(`${used.system.base}${path}`, { redirect: 'manual', headers: { Accept: '*/*' } })).status;
  const missing: string[] = [];
  // Paths with an id have no object here, files have names of their own, and without a provider there is no such login.
  const unasked = (path: string) => path.includes('{') || path.startsWith('/media/') || path === OIDC.begin;
  for (const path of asked.filter((one) => !unasked(one))) if ((await status(path)) === 404) missing.push(path);
  expect(missing).toEqual([]);
  for (const path of withheld) expect([path, await status(path)]).toEqual([path, 404]);
});

(hasKubectl ? describe.each(overlays) : describe.skip.each(overlays))('%s', (folder) => {
  const objects = hasKubectl ? rendered(folder) : [];
  const gateway = () => {
    const image = objects
      .find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway')!
      .spec!.template!.spec.containers.find(({ name }) => name === 'service')!;
    const named = image.env!.find(({ name }) => name === 'GATEWAY_HTTP_PORT')?.value;
    return { component: 'gateway', port: Number(named ?? 8000) };
  };

  test('leads every address to the gateway', () => {
    expect(asked.length).toBeGreaterThan(table.length);
    for (const path of [...asked, ...withheld]) expect([path, reached(objects, path)]).toEqual([path, gateway()]);
  });

  test('leads nowhere but to its port for clients, and no other object lets anybody in', () => {
    const ports = objects
      .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
      .flatMap(({ ports: all = [] }) => all);
    const operations = ports.filter(({ name }) => name === 'operations').map(({ containerPort }) => containerPort);
    expect(new Set(operations)).toEqual(new Set([9464]));
    for (const { kind, metadata, spec } of objects) {
      if (kind !== 'Service') continue;
      expect([metadata.name, (spec as { type?: string }).type ?? 'ClusterIP']).toEqual([metadata.name, 'ClusterIP']);
      for (const { targetPort } of spec!.ports!) expect(['operations', 9464]).not.toContain(targetPort);
    }
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toHaveLength(1);
  });
});
