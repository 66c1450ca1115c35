import { expect, test } from '@jest/globals';
import { ask, costOf } from '../support/statements.ts';

let next = 0;

/** A document with a number of parts of each kind, each of which but the first refers to another. */
function document(parts: number): object {
  const slug = `type-${++next}`;
  const all = <T>(make: (i: number) => T): T[] => Array.from({ length: parts }, (_, i) => make(i));
  return {
    manufacturer: 1,
    model: slug,
    slug,
    interfaces: all((i) => ({ name: `e${i}`, type: 'virtual', bridge: `e${(i + 1) % parts}` })),
    'power-ports': all((i) => ({ name: `p${i}` })),
    'power-outlets': all((i) => ({ name: `o${i}`, power_port: `p${i}` })),
    'rear-ports': all((i) => ({ name: `r${i}`, type: 'mpo' })),
    'front-ports': all((i) => ({ name: `f${i}`, type: 'lc' })),
    'port-mappings': all((i) => ({ front_port: `f${i}`, rear_port: `r${i}` })),
    'inventory-items': all((i) => ({ name: `i${i}`, component_name: `e${i}`, ...(i ? { parent: `i${i - 1}` } : {}) })),
  };
}

test('a document costs as many statements with two parts of each kind as with sixty, and so do several', async () => {
  await ask('POST', '/api/dcim/manufacturers/', { name: 'm', slug: 'm' });
  const path = '/api/dcim/device-types/documents/';
  // So that caches that are filled by the first request do not distort the count.
  await ask('POST', path, document(2));
  const few = (await costOf('POST', path, document(2))).length;
  expect(few).toBeGreaterThan(10);
  expect([
    (await costOf('POST', path, document(60))).length,
    (await costOf('POST', path, [document(2), document(60), document(2)])).length,
  ]).toEqual([few, few]);
});
