import { expect, test } from '@jest/globals';
import { conflictsReport, reportOf } from './report.ts';
import { KEPT, newTally, tell } from './tally.ts';

const NAMES = { dryRun: false, from: 'there', to: 'here' };

test('a line for each type of which there was anything, then what there is to tell', () => {
  const [sites, nothing] = [newTally('dcim.site'), newTally('dcim.rack')];
  Object.assign(sites, { read: 5, created: 2, updated: 1, unchanged: 1 });
  tell(sites, 'refused', { id: 4, display: 'Zurich', told: 'slug: is taken' });
  tell(sites, 'noted', { id: 2, told: 'name: too long' });
  expect(reportOf([sites, nothing], NAMES)).toBe(
    `type       read  new  changed  same  deleted  missing  refused  lost  noted  stayed
dcim.site     5    2        1     1        0                 1            1

dcim.site: 1 refused by the target
  4 Zurich: slug: is taken

dcim.site: 1 values that rules of the target refuse, stored as they are
  2: name: too long

5 objects of there were read for here. 2 are new, 1 changed, 0 deleted. 1 objects are missing.`,
  );
});

test('the first hundred cases are shown, all are counted', () => {
  const tally = newTally('dcim.site');
  for (let id = 1; id <= KEPT + 20; id++) tell(tally, 'lost', { id, told: 'x' });
  expect(tally.told.lost.cases).toHaveLength(KEPT);
  expect(reportOf([tally], NAMES)).toContain('  and 20 more');
});

test('a second run at once says that nothing changed', () => {
  const tally = { ...newTally('dcim.site'), read: 3, unchanged: 3 };
  expect(reportOf([tally], NAMES)).toContain('Nothing changed: everything was there already. Nothing is missing.');
});

test('what is in the way is listed', () => {
  const conflicts = Array.from({ length: 101 }, (_, i) => ({
    type: 'dcim.site',
    id: i,
    display: `s${i}`,
    why: 'taken',
  }));
  const report = conflictsReport(conflicts, 'here');
  expect(report).toContain('Nothing was changed: here has other objects at 101 of the ids');
  expect(report).toContain('\n  dcim.site 0 s0: taken\n');
  expect(report).toContain('\n  and 1 more\n');
});
