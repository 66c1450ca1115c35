import type { Labels } from '../../en/shape.ts';

/** Was unter Feldern von Formularen steht, nach den englischen Texten. */
export const help: Labels['help'] = {
  'Treat as if a cable is connected': 'So behandeln, als wäre ein Kabel angeschlossen',
  '{vc_position} stands for the position in the virtual chassis, or for what follows a colon ({vc_position:1}; otherwise 0) where there is none; {module}, with module types, for the position of the module bay.':
    '{vc_position} steht für die Position im virtuellen Chassis, oder für das, was auf einen Doppelpunkt folgt ({vc_position:1}; sonst 0), wo es keines gibt; {module} bei Modultypen für die Position des Modulschachts.',
  'The function this device serves': 'Wozu dieses Gerät dient',
  'Chassis serial number, assigned by the manufacturer': 'Seriennummer des Gehäuses, vom Hersteller vergeben',
  'A unique tag used to identify this device': 'Eine eindeutige Kennung dieses Geräts',
  'GPS coordinate in decimal format (xx.yyyyyy)': 'GPS-Koordinate als Dezimalzahl (xx.yyyyyy)',
  'Virtual chassis master election priority': 'Priorität bei der Wahl des Masters im virtuellen Chassis',
  'This interface is used only for out-of-band management': 'Dieses Interface dient nur der Out-of-band-Verwaltung',
  'Automatically populate components associated with this module type (default: true)':
    'Die Komponenten dieses Modultyps von selbst hinzufügen (üblich: ja)',
  'Adopt already existing components': 'Vorhandene Komponenten übernehmen',
  'Maximum permissible draw (percentage)': 'Höchster zulässiger Verbrauch (in Prozent)',
  'Full name of the site': 'Voller Name des Standorts',
  'Local facility ID or description': 'Kennung oder Beschreibung am Ort',
  'Physical location of the building': 'Wo das Gebäude steht',
  'If different from the physical address': 'Wenn sie eine andere ist als die Anschrift',
  'IPv4 or IPv6 address (with mask)': 'IPv4- oder IPv6-Adresse (mit Maske)',
  'The operational status of this IP': 'Der Zustand dieser Adresse',
  'The functional role of this IP': 'Die Rolle dieser Adresse',
  'The IP for which this address is the "outside" IP': 'Die Adresse, für die diese die äußere ist',
  'Hostname or FQDN (not case-sensitive)': 'Hostname oder FQDN (groß oder klein)',
  'Operational status of this range': 'Der Zustand dieses Bereichs',
  'The primary function of this range': 'Wozu dieser Bereich vor allem dient',
  'Prevent the creation of IP addresses within this range': 'Verhindern, dass in diesem Bereich Adressen entstehen',
  'Report space as fully utilized': 'Als ganz belegt melden',
  'IPv4 or IPv6 network with mask': 'IPv4- oder IPv6-Netz mit Maske',
  'Operational status of this prefix': 'Der Zustand dieses Präfixes',
  'The primary function of this prefix': 'Wozu dieses Präfix vor allem dient',
  'All IP addresses within this prefix are considered usable': 'Alle Adressen in diesem Präfix gelten als benutzbar',
  'Treat as fully utilized': 'Als ganz belegt behandeln',
  'Route target value (formatted in accordance with RFC 4360)': 'Wert des Route Targets (wie in RFC 4360)',
  'The specific site to which this VLAN is assigned (if any)':
    'Der Standort, zu dem dieses VLAN gehört, falls zu einem',
  'VLAN group (optional)': 'VLAN-Gruppe, wenn es eine gibt',
  'Numeric VLAN ID (1-4094)': 'Nummer des VLANs (1-4094)',
  'Operational status of this VLAN': 'Der Zustand dieses VLANs',
  'The primary function of this VLAN': 'Wozu dieses VLAN vor allem dient',
  'Customer/service VLAN designation (for Q-in-Q/IEEE 802.1ad)':
    'Ob es ein VLAN des Kunden oder des Dienstes ist (bei Q-in-Q, IEEE 802.1ad)',
  'Unique route distinguisher (as defined in RFC 4364)': 'Eindeutiger Route Distinguisher (wie in RFC 4364)',
  'Prevent duplicate prefixes/IP addresses within this VRF': 'Doppelte Präfixe und Adressen in dieser VRF verhindern',
  'Merged into what is told of the object, under its attributes':
    'Kommt zu dem hinzu, was über das Objekt gesagt wird, unter seine Merkmale',
  'Values for templates, by name: {{ secrets.name }}. Write-only: they are shown as masks, and only when `fields` names them.':
    'Werte für Vorlagen, mit Namen: {{ secrets.name }}. Sie lassen sich nur schreiben: Gezeigt werden sie als Masken, und nur, wenn `fields` sie nennt.',
};
