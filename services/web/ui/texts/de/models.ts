import type { models as english } from '../en/models.ts';

/** Texte von Formularen Zeile für Zeile, und davon, was ein Löschen täte. */
export const models: Record<keyof typeof english, string> = {
  addRow: 'Zeile hinzufügen',
  dropRow: 'Entfernen',
  wouldClash: 'Diese wären nicht mehr eindeutig',
  wouldClashHint: 'Ändere diese zuerst: ohne das, worauf sie verweisen, wären sie mit anderen gleich.',
};
