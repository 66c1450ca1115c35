import type { Catalogue, Choice, Field, Model } from '@cadastre/model';
import { perLanguage, spoken } from '../ui/texts/speaking.ts';
import { oncePerText } from '../ui/memoize.ts';

/** Words whose spelling differs from `Word`. */
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

/** `device_type` → `devicetype`: without separators, so that names are found however they are written. */
const compact = (name: string): string => name.replaceAll(/[ _-]/g, '').toLowerCase();

const modelNames = perLanguage(
  () => new Map(Object.entries(spoken().labels.models).map(([one, names]) => [compact(one), names])),
);

/** What a field is called: `primary_ip4` → `Primary IP4`, `device_type` → `Device type`, `device_count` → `Devices`. */
export const fieldLabel = (name: string): string => fieldLabels()(name);

const fieldLabels = perLanguage(() => oncePerText(labelOf));

function labelOf(name: string): string {
  const said = spoken().labels.fields[name];
  if (said !== undefined) return said;
  const [, counted] = /^(.+)_count$/.exec(name) ?? [];
  // A field that refers to a model usually has the same name.
  const model = modelNames().get(compact(counted ?? name));
  if (model) return model[counted === undefined ? 0 : 1];
  return capital(worded(name.replace(/^primary_ip(?=\d)/, 'primary_IPv').replace(/_count$/, 's')).join(' '));
}

type Called = Partial<Pick<Model, 'label' | 'plural'>>;

const modelName = ({ label = '' }: Called) => modelNames().get(compact(label));

/** `Site groups`, `IP addresses`. */
export const pluralLabel = (model: Called & Pick<Model, 'plural'>): string =>
  modelName(model)?.[1] ?? capital(worded(model.plural).join(' '));
/** `Site group`. */
export const singularLabel = (model: Called & Pick<Model, 'label'>): string =>
  modelName(model)?.[0] ?? capital(worded(model.label).join(' '));

/** A title that belongs to models: of a group of fields, a panel, a tab, a group of the menu. */
export const titleLabel = (title: string): string => spoken().labels.titles[title] ?? title;

/** A choice that a model declares, such as a state. */
export const choiceLabel = (label: string): string => spoken().labels.choices[label] ?? label;

/** The help text that a model declares for a field. */
export const helpText = (help: string | undefined): string | undefined =>
  help === undefined ? undefined : (spoken().labels.help[help] ?? help);

/** The choices of a field, with what each is called. */
export const choicesShown = (field: Pick<Field, 'choices'> | undefined): Choice[] =>
  (field?.choices ?? []).map((one) => ({ ...one, label: choiceLabel(one.label) }));

/** `DCIM`, `Virtualization`. */
export const appLabel = (app: string): string =>
  titleLabel(['dcim', 'ipam'].includes(app) ? app.toUpperCase() : capital(app));

/** The label of a type: `Site group`; the type's name if it no longer exists. */
export const typeLabel = (type: string, { models }: Pick<Catalogue, 'models'>): string => {
  const model = models.get(type);
  return model ? singularLabel(model) : type;
};
