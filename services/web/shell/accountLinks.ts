import type { TextName, Texts } from '../ui/texts/texts.ts';
import { SCHEMES, type Scheme } from '../context/preferences.ts';

/** The pages of the user's own account. */
const PAGES: readonly (readonly [label: TextName, href: string])[] = [
  ['profile', '/user/profile/'],
  ['bookmarks', '/user/bookmarks/'],
  ['notifications', '/user/notifications/'],
  ['subscriptions', '/user/subscriptions/'],
  ['preferences', '/user/preferences/'],
  ['ownTokens', '/user/api-tokens/'],
  ['password', '/user/password/'],
  ['factors', '/user/factors/'],
  ['sessions', '/user/sessions/'],
  ['keyboard', '/user/keyboard/'],
];

const SCHEME_NAMES: Record<Scheme, TextName> = { light: 'light', dark: 'dark', system: 'system' };

export const accountLinks = (path: string, texts: Texts) =>
  PAGES.map(([label, href]) => ({ label: texts(label), href, here: path === href }));

export const schemes = (chosen: Scheme, texts: Texts) =>
  SCHEMES.map((name) => ({ name, label: texts(SCHEME_NAMES[name]), here: name === chosen }));
