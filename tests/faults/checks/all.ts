import type { Write } from '../load/history.ts';
import { checkCounts, type Shown } from './counts.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkEvents, checkRecords } from './events.ts';
import { checkReferences } from './references.ts';
import { checkKept, checkReplicas } from './replicas.ts';
import { checkTagged } from './tagged.ts';
import { checkTrees } from './trees.ts';
import type { Complaint, World } from './world.ts';
import { checkOutcomes, checkState } from './writes.ts';

/** All messages have been handled, and none was parked. */
function checkQuiet(world: World): Complaint[] {
  return [
    ...(world.unpublished ? [`${world.unpublished} events are not published`] : []),
    ...world.parked.map(
      ({ service, key, error }) => `${service} could not handle an event of ${key}: ${error.slice(0, 300)}`,
    ),
    ...world.marks.map(({ service, type, id }) => `${service} still holds ${type} ${id} as being deleted`),
  ];
}

/** All invariants that are checked afterwards, by name. */
export const allChecks = (world: World, writes: readonly Write[], shown: Shown): [name: string, Complaint[]][] => [
  ['nothing is under way or put aside', checkQuiet(world)],
  ['what was answered has happened, what was refused has not', checkOutcomes(world, writes)],
  ['objects are as they were last written', checkState(world, writes)],
  ['no reference dangles', checkReferences(world)],
  ['replicas equal their owners', checkReplicas(world)],
  ['brief forms are those of the objects', checkKept(world)],
  ['tagged objects are listed', checkTagged(world)],
  ['trees are planted as their parents say', checkTrees(world)],
  ['counts are right', checkCounts(world, shown)],
  ['versions follow each other', checkEvents(world)],
  ['one change record for each change', checkRecords(world)],
  ['one delivery for each change, and it arrived', checkDeliveries(world)],
];
