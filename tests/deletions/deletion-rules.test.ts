import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Catalogue, loadCatalogue } from '@cadastre/model';

// What deleting an object of each type does to others is recorded in tests/deletions/deletion-rules.json: a change of a
// declaration that changes it fails here, so that it is made on purpose. `*` stands for objects of any type.

type Rules = Record<string, { protectedBy?: string[]; takesAlong?: string[]; isTakenOutOf?: string[] }>;

const kinds = { protect: 'protectedBy', cascade: 'takesAlong', setNull: 'isTakenOutOf' } as const;

/** The rules of all types; those that apply to any type are listed under `*` only. */
function rulesOf(catalogue: Catalogue): Rules {
  const any = catalogue.incoming('*');
  const known = new Set<unknown>(any.map(({ model, field }) => `${model.name}.${field}`));
  const described = (incoming: ReturnType<Catalogue['incoming']>) => {
    const rules: Rules[string] = {};
    for (const { model, field, onDelete } of incoming) (rules[kinds[onDelete]] ??= []).push(`${model.name}.${field}`);
    for (const list of Object.values(rules)) list.sort();
    return rules;
  };
  const own = [...catalogue.models.keys()]
    .sort()
    .map(
      (type) =>
        [
          type,
          described(catalogue.incoming(type).filter(({ model, field }) => !known.has(`${model.name}.${field}`))),
        ] as const,
    );
  return { '*': described(any), ...Object.fromEntries(own.filter(([, rules]) => Object.keys(rules).length)) };
}

test('deleting an object does what it did to others', async () => {
  const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
  expect(rulesOf(catalogue)).toEqual(
    JSON.parse(readFileSync(resolve(import.meta.dirname, 'deletion-rules.json'), 'utf8')),
  );
});

test('what protects something that goes along in another service is asked about', async () => {
  const { deletions } = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
  // A VLAN protects its group, which is deleted with its site or its cluster, and the site with its region.
  expect(deletions.askedAbout('dcim.region')).toEqual(expect.arrayContaining(['ipam', 'virtualization']));
  expect(deletions.askedAbout('virtualization.cluster')).toContain('ipam');
  expect(deletions.isGuarded('ipam.vlangroup')).toBe(true);
  // Objects that only record something about others never prevent a deletion.
  expect(
    ['extras.journalentry', 'tenancy.contactassignment', 'extras.bookmark'].map((type) => deletions.isGuarded(type)),
  ).toEqual([false, false, false]);
});
