import type { Body, Client } from '../client.ts';
import { makeSite } from './hooks.ts';
import { unique } from '../unique.ts';

/** A template that takes all the time that rendering may take. */
export const endless =
  '{% for a in range(10000) %}{% for b in range(10000) %}{% for c in range(10000) %}{% endfor %}{% endfor %}{% endfor %}';

/** A request that renders a template. */
export interface Rendering {
  method: string;
  path: string;
}

/**
 * The same text rendered in three ways: as an export, as the configuration of an object, as a config template by
 * itself.
 */
export async function renderings(
  admin: Client,
  template_code: string,
): Promise<Record<'export' | 'configuration' | 'template', Rendering>> {
  const site: Body = await makeSite(admin);
  const name = unique('template');
  await admin.make('/api/extras/export-templates/', { name, object_types: ['dcim.site'], template_code });
  const template = await admin.make('/api/extras/config-templates/', { name, template_code });
  const machine = await admin.make('/api/virtualization/virtual-machines/', {
    name: unique('vm'),
    site: site.id,
    config_template: template.id,
  });
  return {
    export: { method: 'GET', path: `/api/dcim/sites/?id=${site.id}&export=${name}` },
    configuration: { method: 'POST', path: `/api/virtualization/virtual-machines/${machine.id}/render-config/` },
    template: { method: 'POST', path: `/api/extras/config-templates/${template.id}/render/` },
  };
}

/** The permissions that a user needs for all of them. */
export const mayRender = [
  {
    types: [
      'dcim.site',
      'dcim.device',
      'ipam.prefix',
      'extras.tag',
      'extras.configtemplate',
      'virtualization.virtualmachine',
    ],
    actions: ['view'],
  },
  { types: ['extras.configtemplate'], actions: ['render'] },
  { types: ['virtualization.virtualmachine'], actions: ['render_config'] },
];
