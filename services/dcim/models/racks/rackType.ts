import {
  comments,
  counter,
  description,
  type Effect,
  inOrder,
  labels,
  model,
  owner,
  primary,
  ref,
  slug,
  text,
  timestamps,
} from '@cadastre/model';
import {
  bears,
  frameGroups,
  FROM_TYPE,
  measured,
  mountingDepth,
  outerSize,
  rackForm,
  rackWeights,
  unitOrder,
} from '../groups/rackFrame.ts';
import { grams, weighed } from '../groups/weight.ts';
import { mountedIn, whyTooSmall } from './rackRules.ts';

/** Racks are as their type says, which keeps the units in which devices are mounted. */
const changeRacks: Effect = async (changes, { find, update, refuse }) => {
  const updates = changes.filter(
    (c) => c.action === 'updated' && FROM_TYPE.some((name) => c.before![name] !== c.after![name]),
  );
  if (!updates.length) return;
  const changed = new Map(updates.map((c) => [c.after!['id']!, c.after!]));
  const racks = await find('dcim.rack', { rack_type: [...changed.keys()] });
  const mounted = await mountedIn(racks, find);
  for (const change of updates)
    for (const rack of racks.filter((r) => r['rack_type'] === change.after!['id'])) {
      const problem = whyTooSmall(change.after!, mounted.get(rack['id']!) ?? []);
      if (problem) refuse({ [problem.field]: [problem.message] }, change);
    }
  await update(
    'dcim.rack',
    racks.map((rack) => ({
      id: rack['id']!,
      ...Object.fromEntries(FROM_TYPE.map((name) => [name, changed.get(rack['rack_type']!)![name] ?? null])),
    })),
  );
};

/** A model of racks. */
export const rackType = model('dcim.racktype', {
  path: 'rack-types',
  pages: {
    columns: ['manufacturer', 'form_factor', 'u_height', 'width', 'rack_count', 'description'],
    groups: frameGroups,
  },
  imports: { called: 'model' },
  label: 'rack type',
  ordering: ['manufacturer', 'model'],
  features: [...primary, 'imageAttachments'],
  brief: ['manufacturer', 'model', 'slug', 'description', 'rack_count'],
  search: ['model', 'description', 'comments'],
  display: { columns: ['model'], text: ([name]) => name ?? '' },
  documents: { file: ['manufacturer', 'slug'], parts: {} },
  fields: {
    manufacturer: ref('dcim.manufacturer'),
    model: text({ max: 100, natural: true }),
    slug: slug({ unique: true }),
    ...description(),
    ...rackForm(),
    ...unitOrder(),
    ...outerSize(),
    ...rackWeights(),
    ...mountingDepth(),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    rack_count: counter('dcim.rack', 'rack_type'),
    ...grams('_abs_weight'),
    ...grams('_abs_max_weight'),
  },
  unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],
  rules: [inOrder(weighed, measured, bears)],
  effects: [changeRacks],
});
