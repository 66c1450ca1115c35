/** Texte über Netze, Adressen und VLANs, nach den englischen. */
export const de = {
  'covered by prefixes': 'von Präfixen bedeckt',
  'In use': 'Belegt',
  Size: 'Größe',
  'Child prefixes': 'Enthaltene Präfixe',
  Addresses: 'Adressen',
  'There are {count} addresses here; only the first {shown} are shown.':
    'Hier gibt es {count} Adressen; nur die ersten {shown} werden gezeigt.',
  'Addresses of {name}': 'Adressen von {name}',
  '{count} of {all} addresses': '{count} von {all} Adressen',
  '{count} addresses': '{count} Adressen',
  '1 address': '1 Adresse',
  // Tabellen
  Prefix: 'Präfix',
  VLAN: 'VLAN',
  Name: 'Name',
  Status: 'Status',
  Role: 'Rolle',
  Description: 'Beschreibung',
  Free: 'Frei',
  'marked as fully in use': 'als ganz belegt markiert',
  'There are more addresses here than a page can count.': 'Hier gibt es mehr Adressen, als eine Seite zählen kann.',
  'Add a prefix in {net}': 'Ein Präfix in {net} hinzufügen',
  'There are {count} prefixes here; only the first {shown} are shown.':
    'Hier gibt es {count} Präfixe; nur die ersten {shown} werden gezeigt.',
  'Prefixes in {net}': 'Präfixe in {net}',
  // Adressen eine um eine
  'Reserved or deprecated': 'Reserviert oder veraltet',
  'In a range': 'In einem Bereich',
  'Network and broadcast': 'Netz und Broadcast',
  'range {name}': 'Bereich {name}',
  'not for hosts': 'nicht für Hosts',
  free: 'frei',
  'and {count} more': 'und {count} weitere',
  'Add the first free address, {address}': 'Die erste freie Adresse hinzufügen, {address}',
  // Nummern von VLANs
  'Add VLAN {number}': 'VLAN {number} hinzufügen',
  '{count} free': '{count} frei',
  'Numbers after {number} are not shown:': 'Nummern nach {number} werden nicht gezeigt:',
  'all VLANs of this group': 'alle VLANs dieser Gruppe',
  '{count} of {all} numbers': '{count} von {all} Nummern',
  'Numbers of {name}': 'Nummern von {name}',
} as const;

/** What is said in English. */
export type Said = keyof typeof de;
