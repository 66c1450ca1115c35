// The boundary rules of docs/architecture.md.
const ours = '^(packages|services|tools|tests|bench)/';
module.exports = {
  forbidden: [
    { name: 'model-imports-nothing-of-ours', severity: 'error', from: { path: '^packages/model/' }, to: { path: ours, pathNot: '^packages/model/' } },
    { name: 'packages-know-no-service', severity: 'error', from: { path: '^packages/' }, to: { path: '^(services|tools|tests|bench)/' } },
    {
      name: 'a-service-sees-only-the-models-of-another', severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: ['^services/$1/', '^services/[^/]+/models/'] },
    },
    { name: 'services-import-no-tools', severity: 'error', from: { path: '^services/', pathNot: '\\.test\\.ts$' }, to: { path: '^(tools|tests|bench)/' } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-undeclared-packages', severity: 'error', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'] },
  },
};
