/** Texte von Teilen, die mehrere Dienste haben, nach den englischen. */
export const de = {
  'Rendered context': 'Zusammengesetzter Kontext',
  'No config context holds for it.': 'Kein Config Context gilt dafür.',
  'Config contexts': 'Config Contexts',
  'Local context': 'Eigener Kontext',
  'It takes precedence over all config contexts.': 'Er geht allen Config Contexts vor.',
  'It has none of its own.': 'Es hat keinen eigenen.',
  'Rendered configuration': 'Fertige Konfiguration',
  'By the template {template}': 'Nach der Vorlage {template}',
  'Assign a {template} to the object, its role or its platform.':
    'Ordne dem Objekt, seiner Rolle oder seiner Plattform eine {template} zu.',
  'config template': 'Konfigurationsvorlage',
  'It could not be rendered.': 'Sie ließ sich nicht zusammensetzen.',
} as const;
