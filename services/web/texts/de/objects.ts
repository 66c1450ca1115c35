import type { objects as english } from '../en/objects.ts';

/** Texte der Seiten eines Objekts; was fehlt, wird englisch gesagt. */
export const objects: Partial<Record<keyof typeof english, string>> = {
  note: 'Notiz',
  remove: 'Entfernen',
};
