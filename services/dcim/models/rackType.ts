import { comments, counter, description, type Effect, labels, model, owner, primary, ref, slug, text, timestamps } from '@cadastre/model';
import { bears, FROM_TYPE, measured, mountingDepth, outerSize, rackForm, rackWeights, unitOrder } from './groups/rackFrame.ts';
import { grams, weighed } from './groups/weight.ts';

/** Racks are as their type says. */
const changeRacks: Effect = async (changes, { find, update }) => {
  const changed = new Map(changes.filter((c) => c.action === 'updated' && FROM_TYPE.some((name) => c.before![name] !== c.after![name])).map((c) => [c.after!['id']!, c.after!]));
  if (!changed.size) return;
  const racks = await find('dcim.rack', { rack_type: [...changed.keys()] });
  await update('dcim.rack', racks.map((rack) => ({ id: rack['id']!, ...Object.fromEntries(FROM_TYPE.map((name) => [name, changed.get(rack['rack_type']!)![name] ?? null])) })));
};

/** A model of racks. */
export const rackType = model('dcim.racktype', {
  path: 'rack-types', label: 'rack type', ordering: ['manufacturer', 'model'], features: [...primary, 'imageAttachments'],
  brief: ['manufacturer', 'model', 'slug', 'description', 'rack_count'], search: ['model', 'description', 'comments'], display: { columns: ['model'], text: ([name]) => name ?? '' },
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
  rules: [weighed, measured, bears],
  effects: [changeRacks],
});
