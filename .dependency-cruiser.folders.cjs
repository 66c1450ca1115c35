// Folders without circles, types counted. Apart from the other rules, as what tests import, from wherever they stand, would
// lead from any folder to any other; so would the folders `testing`, which only tests use.
const { readdirSync } = require('node:fs');
const { options } = require('./.dependency-cruiser.cjs');
/** Each package and each service: a circle counts where it stays within one of them. */
const roots = ['packages', 'services'].flatMap((part) =>
  readdirSync(`${__dirname}/${part}`, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [`${part}/${entry.name}`] : [])),
);
module.exports = {
  forbidden: roots.map((root) => ({
    name: `no-circles-of-folders-in-${root.replace('/', '-')}`, scope: 'folder', severity: 'error',
    from: { path: `^${root}/` }, to: { circular: true, path: `^${root}/` },
  })),
  options: { ...options, exclude: { path: '(\\.test\\.ts$|/testing/|^(tests|tools|bench)/)' } },
};
