import type { Catalogue, Model } from '@cadastre/model';

/** Words that people write in another way than `Word`. */
const WORDS: Record<string, string> = Object.fromEntries(
  [
    'IP',
    'IPs',
    'ID',
    'VLAN',
    'VLANs',
    'VRF',
    'ASN',
    'ASNs',
    'MAC',
    'MTU',
    'URL',
    'DNS',
    'NAT',
    'OOB',
    'RF',
    'PoE',
    'WWN',
    'RIR',
    'VC',
    'VDCs',
    'CPUs',
    'vCPUs',
    'IPv4',
    'IPv6',
    'L2VPN',
    'SSID',
    'PSK',
    'CA',
    'SSL',
    'HTTP',
    'FHRP',
    'XConnect',
    'JSON',
    'CID',
    'SLAs',
    'GPS',
  ].map((word) => [word.toLowerCase(), word]),
);

const worded = (name: string): string[] => name.split(/[_ ]/).map((word) => WORDS[word.toLowerCase()] ?? word);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a field is called: `primary_ip4` → `Primary IP4`, `device_type` → `Device type`. */
export const fieldLabel = (name: string): string =>
  capital(worded(name.replace(/^primary_ip(?=\d)/, 'primary_IPv').replace(/_count$/, 's')).join(' '));

/** `Site groups`, `IP addresses`. */
export const pluralLabel = ({ plural }: Pick<Model, 'plural'>): string => capital(worded(plural).join(' '));
/** `Site group`. */
export const singularLabel = ({ label }: Pick<Model, 'label'>): string => capital(worded(label).join(' '));

/** A type of objects, by its name: `Site group`; the name itself where nobody knows it any more. */
export const typeLabel = (type: string, { models }: Pick<Catalogue, 'models'>): string => {
  const model = models.get(type);
  return model ? singularLabel(model) : type;
};
