import { choices } from '@cadastre/model';

export const prefixStatus = choices([
  ['container', 'Container'],
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
]);
/** Of ranges of addresses and of VLANs. */
export const usageStatus = choices([
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
]);
export const addressStatus = choices([
  ['active', 'Active'],
  ['reserved', 'Reserved'],
  ['deprecated', 'Deprecated'],
  ['dhcp', 'DHCP'],
  ['slaac', 'SLAAC'],
]);

export const addressRole = choices([
  ['loopback', 'Loopback'],
  ['secondary', 'Secondary'],
  ['anycast', 'Anycast'],
  ['vip', 'VIP'],
  ['vrrp', 'VRRP'],
  ['hsrp', 'HSRP'],
  ['glbp', 'GLBP'],
  ['carp', 'CARP'],
]);

/** Addresses that several interfaces may have at the same time. */
export const SHARED_ROLES = ['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'];

export const vlanQinQRole = choices([
  ['svlan', 'Service'],
  ['cvlan', 'Customer'],
]);

export const fhrpProtocol = choices([
  ['vrrp2', 'VRRPv2'],
  ['vrrp3', 'VRRPv3'],
  ['carp', 'CARP'],
  ['clusterxl', 'ClusterXL'],
  ['hsrp', 'HSRP'],
  ['glbp', 'GLBP'],
  ['other', 'Other'],
]);
export const fhrpAuthentication = choices([
  ['plaintext', 'Plaintext'],
  ['md5', 'MD5'],
]);

export const serviceProtocol = choices([
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
]);
