// Folders without circles, types counted. Apart from the other rules, as what tests import, from wherever they stand, would
// lead from any folder to any other.
const { options } = require('./.dependency-cruiser.cjs');
/** Whose folders are in order. A circle counts where it stays within one of them. */
const inOrder = ['services/web', 'packages/pages'];
module.exports = {
  forbidden: inOrder.map((root) => ({
    name: `no-circles-of-folders-in-${root.replace('/', '-')}`, scope: 'folder', severity: 'error',
    from: { path: `^${root}/` }, to: { circular: true, path: `^${root}/` },
  })),
  options: { ...options, exclude: { path: '(\\.test\\.ts$|^(tests|tools|bench)/)' } },
};
