import { inOrder, type Json, type Rule, type RuleContext, type Values } from '@cadastre/model';

const CLUSTER = 'virtualization.cluster';
const DEVICE = 'dcim.device';
const SITE = 'dcim.site';
const ADDRESS = 'ipam.ipaddress';

/** What a new virtual machine leaves out comes from its type. */
export const likeItsType: Rule = async (object, { before, importing, related }) => {
  const type =
    before || importing ? null : await related('virtualization.virtualmachinetype', object['virtual_machine_type']);
  if (type) for (const name of ['platform', 'vcpus', 'memory']) object[name] ??= type[`default_${name}`] ?? null;
  return undefined;
};

/**
 * A virtual machine is in a cluster, on a device, or at least at a site, and these must agree. Its site follows from
 * the cluster or the device.
 */
export const hasPlace: Rule = async (object, { related, displayOf }) => {
  const { site, cluster, device } = object;
  if (!site && !cluster && !device)
    return { cluster: ['A virtual machine must be assigned to a site, cluster, or device.'] };
  const [clusterSite, host] = [(await related(CLUSTER, cluster))?.['_site'] ?? null, await related(DEVICE, device)];
  const named = (type: string, id: Json | undefined) => displayOf(type, Number(id));
  if (site && clusterSite && clusterSite !== site) {
    return {
      cluster: [
        `The selected cluster (${await named(CLUSTER, cluster)}) is not assigned to this site (${await named(SITE, site)}).`,
      ],
    };
  }
  if (host?.['cluster'] && !cluster)
    return { device: ['Must specify a cluster when assigning a host device that belongs to one.'] };
  if (host && cluster && host['cluster'] !== cluster) {
    return {
      device: [
        `The selected device (${await named(DEVICE, device)}) is not assigned to this cluster (${await named(CLUSTER, cluster)}).`,
      ],
    };
  }
  if (host && !cluster && site && host['site'] !== site) {
    return {
      device: [
        `The selected device (${await named(DEVICE, device)}) is not assigned to this site (${await named(SITE, site)}).`,
      ],
    };
  }
  object['site'] = site ?? clusterSite ?? (cluster ? null : (host?.['site'] ?? null));
  return undefined;
};

/** The disk space of a virtual machine with virtual disks is their sum. */
export const diskIsSumOfDisks: Rule = async (object, { before, found }) => {
  const disks = before ? await found('virtualization.virtualdisk', 'virtual_machine', object['id']) : [];
  const total = disks.reduce((sum, { size }) => sum + Number(size), 0);
  if (!total) return undefined;
  object['disk'] ??= total;
  return object['disk'] === total
    ? undefined
    : {
        disk: [
          `The specified disk size (${String(object['disk'])}) must match the aggregate size of assigned virtual disks (${total}).`,
        ],
      };
};

/** A primary address is of the right family and at one of the interfaces, or translated (NAT) to one that is. */
export const primaryAddressesAreItsOwn: Rule = async (object, context) => {
  const errors: Record<string, string[]> = {};
  for (const family of [4, 6]) {
    const field = `primary_ip${family}`;
    const address = await context.related(ADDRESS, object[field]);
    if (!address || object[field] === context.before?.[field]) continue;
    const text = await context.displayOf(ADDRESS, Number(object[field]));
    const version = text.includes(':') ? 6 : 4;
    if (version !== family) errors[field] = [`Must be an IPv${family} address. (${text} is an IPv${version} address.)`];
    else if (
      !(await isHere(address, object, context)) &&
      !(await isHere(await context.related(ADDRESS, address['nat_inside']), object, context))
    ) {
      errors[field] = [`The specified IP address (${text}) is not assigned to this VM.`];
    }
  }
  return errors;
};

async function isHere(address: Values | null, { id }: Values, { related }: RuleContext): Promise<boolean> {
  if (address?.['assigned_object_type'] !== 'virtualization.vminterface') return false;
  const at = await related('virtualization.vminterface', address['assigned_object_id']);
  return at !== null && at['virtual_machine'] === id;
}

/** As in the reference, only the first of the ordered rules that fails is reported. */
export const rules: Rule[] = [likeItsType, inOrder(hasPlace, diskIsSumOfDisks, primaryAddressesAreItsOwn)];

/** Fields of other services' objects that rules and rendered configurations read. */
export const reads: Record<string, string[]> = {
  [DEVICE]: ['site', 'cluster'],
  [ADDRESS]: ['address', 'assigned_object_type', 'assigned_object_id', 'nat_inside'],
  'dcim.devicerole': ['config_template'],
  'dcim.platform': ['config_template'],
  'extras.configtemplate': ['template_code', 'environment_params'],
};
