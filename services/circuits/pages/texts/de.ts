/** Texte der Karte, nach den englischen. */
export const de = {
  'Map of sites and circuits': 'Karte der Standorte und Leitungen',
  'As a table': 'Als Tabelle',
  'Circuits between sites': 'Leitungen zwischen Standorten',
  Circuit: 'Leitung',
  From: 'Von',
  To: 'Nach',
  '{count} sites have a latitude and a longitude; only the first {most} are drawn.':
    '{count} Standorte haben Breite und Länge; nur die ersten {most} sind gezeichnet.',
  'There are {count} ends of circuits; only the first {most} are drawn.':
    'Es gibt {count} Enden von Leitungen; nur die ersten {most} sind gezeichnet.',
  '1 of the {all} sites has no latitude or no longitude.': '1 von {all} Standorten hat keine Breite oder keine Länge.',
  '{count} of the {all} sites have no latitude or no longitude.':
    '{count} von {all} Standorten haben keine Breite oder keine Länge.',
  Larger: 'Größer',
  Smaller: 'Kleiner',
  All: 'Alles',
  'Save as SVG': 'Als SVG speichern',
  Map: 'Karte',
} as const;
