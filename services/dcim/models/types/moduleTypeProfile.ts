import { comments, description, json, labels, model, owner, primary, text, timestamps } from '@cadastre/model';
import { whyNoProfile } from './moduleTypeAttributes.ts';

/** A kind of modules, with the JSON schema of their attributes. */
export const moduleTypeProfile = model('dcim.moduletypeprofile', {
  path: 'module-type-profiles',
  pages: { groups: { Attributes: ['schema'] } },
  label: 'module type profile',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    schema: json({ optional: true, check: whyNoProfile }),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
  },
});
