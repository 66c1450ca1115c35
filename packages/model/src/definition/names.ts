import type { Model } from '../types/model.ts';

const APPS: Record<string, string> = { dcim: 'DCIM', ipam: 'IPAM' };
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** How people call an app: `DCIM`, `Tenancy`. */
export const appName = (app: string): string => APPS[app] ?? capital(app);

/** One of what a word in the plural names: `policies` → `policy`, `addresses` → `address`, `vlans` → `vlan`. */
export const singularOf = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');

/** How change records name a type of object: `DCIM | site`. */
export const typeLabel = ({ app, label }: Pick<Model, 'app' | 'label'>): string => `${appName(app)} | ${label}`;

/** How types of objects stand beside each other: `DCIM > Site Group`. */
export const typeTitle = ({ app, label }: Pick<Model, 'app' | 'label'>): string =>
  `${appName(app)} > ${label.split(' ').map(capital).join(' ')}`;
