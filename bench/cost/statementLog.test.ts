import { expect, test } from '@jest/globals';
import { countStatements } from './statementLog.ts';

test('statements are counted by database and by kind, whatever else the log says', () => {
  const log = [
    '2026-11-23 04:00:00 UTC [1] LOG:  database system is ready to accept connections',
    'cadastre_dcim|LOG:  statement: BEGIN',
    'cadastre_dcim|LOG:  execute <unnamed>: insert into "dcim_site"',
    '\tselect * from x',
    'cadastre_extras|LOG:  execute page_50: ',
    '\t  SELECT 1',
    'cadastre_dcim|ERROR:  duplicate key value violates unique constraint "one"',
    'cadastre_dcim|LOG:  statement: commit',
    'postgres|LOG:  statement: select pg_reload_conf()',
  ].join('\n');
  expect(countStatements(log)).toEqual({
    statements: { dcim: 3, extras: 1, postgres: 1 },
    'statements by kind': { begin: 1, insert: 1, select: 2, commit: 1 },
    'statements one by one': {
      'dcim: BEGIN': 1,
      'dcim: insert into "dcim_site"': 1,
      'extras: SELECT 1': 1,
      'dcim: commit': 1,
      'postgres: select pg_reload_conf()': 1,
    },
  });
});
