import type { models as english } from '../en/models.ts';

/** Texte von Formularen Zeile für Zeile, und davon, was ein Löschen täte. */
export const models: Record<keyof typeof english, string> = {
  addRow: 'Zeile hinzufügen',
  dropRow: 'Entfernen',
};
