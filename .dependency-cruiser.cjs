// The boundary rules of docs/architecture.md. Biome looks for circular imports (noImportCycles): this tool follows only the first
// way back that it finds from a file, and when that leads through a type, a circle of values behind it stays unseen.
const ours = '^(packages|services|tools|tests|bench)/';
// What runs in tests only may use the tools for tests.
const tests = '(\\.test\\.ts|/testing/[a-z-]+\\.ts|/testing\\.ts|/test-database\\.ts|/contract/[a-z]+\\.ts)$';
// Floors of a folder, from the lowest: what stands lower knows nothing of what stands higher, types included.
const floors = (folder, order) => order.slice(0, -1).map((floor, at) => ({
  name: `${folder.replace('/src', '').replaceAll('/', '-')}-${floor.replaceAll('/', '-')}-knows-nothing-above`, severity: 'error',
  from: { path: `^${folder}/${floor}/`, pathNot: tests },
  to: { path: [`^${folder}/[^/]+$`, `^${folder}/(${order.slice(at + 1).join('|')})/`], pathNot: `^${folder}/(${order.slice(0, at + 1).join('|')})/` },
}));
const serviceRules = [
  ...floors('packages', ['model', 'body', 'events', 'templates', 'rest', 'service', 'pages']),
  ...floors('packages/rest/src', [
    'core', 'db', 'media', 'cache', 'peers', 'visibility', 'order', 'serialize', 'read', 'replicas', 'write', 'replication', 'import', 'templates',
    'export', 'openapi', 'http',
  ]),
  ...floors('packages/rest/src/write', [
    'context', 'parse', 'resolve', 'check', 'store', 'record', 'consequences', 'effects', 'create', 'update', 'remove',
  ]),
  ...floors('packages/service/src', [
    'settings', 'request', 'observe', 'database/schema', 'database', 'security', 'grpc', 'peers', 'events', 'http', 'host', 'replicas', 'permissions',
    'operations', 'models/consistency', 'models/media', 'models',
  ]),
  ...floors('services/gateway', ['arrive', 'identify', 'forward', 'admit', 'answer', 'web', 'operations', 'pages/frame', 'pages/login', 'pages']),
  ...floors('services/auth', [
    'models/rights', 'models', 'security', 'rights', 'passwords', 'factors', 'credentials', 'login/external/account', 'login/external/oidc',
    'login/external/ldap/directory', 'login/external/ldap', 'login/external', 'login', 'actions', 'accounts', 'pages',
  ]),
  {
    name: 'packages-are-entered-by-their-exports', severity: 'error',
    from: { path: '^(packages|services)/([^/]+)/', pathNot: tests },
    to: { path: '^packages/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased-workspace'] },
  },
];
// Features of the pages that others build on; those that are not named know these, and none of each other.
const webFeatures = ['form', 'import', 'list', 'object', 'bulk'];
const webRules = [
  ...floors('services/web', ['ui', 'schema', 'client', 'context', 'shell', 'features', 'router']),
  ...webFeatures.map((feature, at) => ({
    name: `web-${feature}-builds-on-features-below`, severity: 'error',
    from: { path: `^services/web/features/${feature}/`, pathNot: tests },
    to: { path: '^services/web/features/', pathNot: `^services/web/features/(${webFeatures.slice(0, at + 1).join('|')})/` },
  })),
  {
    name: 'web-features-stand-beside-each-other', severity: 'error',
    from: { path: '^services/web/features/([^/]+)/', pathNot: tests },
    to: { path: '^services/web/features/', pathNot: ['^services/web/features/$1/', `^services/web/features/(${webFeatures.join('|')})/`] },
  },
];
const eventRules = [
  ...floors('packages/model/src', ['types', 'values', 'sql', 'filters', 'fields', 'definition', 'catalogue']),
  ...floors('packages/events/src', ['failures', 'waiting', 'event', 'log', 'outbox', 'follow', 'postgres', 'kafka']),
  ...floors('packages/events/src/kafka', ['client', 'consumer']),
  ...floors('packages/events/src/postgres', ['tables', 'consumer']),
  ...floors('packages/templates/src', ['jobs', 'values', 'filters', 'objects', 'language', 'worker']),
  ...floors('services/webhooks', ['models', 'http', 'rules', 'queue', 'intake', 'delivery']),
];
module.exports = {
  forbidden: [
    // Values and types alike. Folders: see .dependency-cruiser.folders.cjs.
    { name: 'no-circles', severity: 'error', from: { path: ours }, to: { circular: true } },
    ...webRules,
    { name: 'model-imports-nothing-of-ours', severity: 'error', from: { path: '^packages/model/' }, to: { path: ours, pathNot: '^packages/model/' } },
    { name: 'packages-know-no-service', severity: 'error', from: { path: '^packages/', pathNot: tests }, to: { path: '^(services|tools|tests|bench)/' } },
    {
      name: 'a-service-sees-only-the-models-of-another', severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: ['^services/$1/', '^services/[^/]+/models/'] },
    },
    { name: 'services-import-no-tools', severity: 'error', from: { path: '^services/', pathNot: tests }, to: { path: '^(tools|tests|bench)/' } },
    {
      // `npm test -- services/<name>` is for the team that owns it: what needs the whole system stands in tests/.
      name: 'tests-of-a-service-need-nothing-else', severity: 'error', from: { path: '^(services|packages)/' },
      to: { path: '^(tests/support/system|tools/testing/fresh-system)\\.ts$', reachable: true },
    },
    ...serviceRules,
    ...eventRules,
    { name: 'no-undeclared-packages', severity: 'error', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    // TypeScript 7 has no JavaScript interface that the tool could parse with.
    parser: 'swc',
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'] },
  },
};
