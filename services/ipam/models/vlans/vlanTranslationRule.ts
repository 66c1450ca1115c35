import { description, integer, model, primary, ref } from '@cadastre/model';
import { unseen } from './vlanTranslationPolicy.ts';

const vid = () => integer({ min: 1, max: 4094, size: 'smallint' });

/** One pair of corresponding VLAN numbers. */
export const vlanTranslationRule = model('ipam.vlantranslationrule', {
  path: 'vlan-translation-rules',
  pages: { columns: ['policy', 'local_vid', 'remote_vid', 'description'] },
  label: 'VLAN translation rule',
  ordering: ['policy', 'local_vid'],
  features: primary,
  displayPath: false,
  brief: ['policy', 'local_vid', 'remote_vid', 'description'],
  search: ['policy.name', '=local_vid', '=remote_vid'],
  display: {
    columns: ['local_vid', 'remote_vid'],
    related: ['policy'],
    text: ([local, remote], [policy]) => `${local} -> ${remote} (${policy})`,
  },
  fields: {
    policy: ref('ipam.vlantranslationpolicy', { onDelete: 'cascade', form: 'id' }),
    local_vid: vid(),
    remote_vid: vid(),
    ...description(),
    ...unseen(),
  },
  unique: (['local', 'remote'] as const).map((side) => ({
    fields: ['policy', `${side}_vid`],
    message: `VLAN translation rule with this Policy and ${side === 'local' ? 'Local' : 'Remote'} VLAN ID already exists.`,
  })),
});
