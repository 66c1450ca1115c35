/**
 * Was die API sagt, wenn sie etwas ablehnt, nach den englischen Sätzen; `{…}` steht für das, was sie einsetzt. Was hier
 * fehlt, wird englisch gesagt.
 */
export const answers: Readonly<Record<string, string>> = {
  // Felder
  'This field is required.': 'Das muss ausgefüllt werden.',
  'This field may not be null.': 'Das darf nicht leer sein.',
  'This field may not be blank.': 'Das darf nicht leer sein.',
  'This field cannot be null.': 'Das darf nicht leer sein.',
  'This field cannot be blank.': 'Das darf nicht leer sein.',
  'This list may not be empty.': 'Die Liste darf nicht leer sein.',
  'This value may not be 0.': 'Das darf nicht 0 sein.',
  'Required field cannot be empty.': 'Das muss ausgefüllt werden.',
  'Null characters are not allowed.': 'Nullzeichen sind nicht erlaubt.',
  'Surrogate characters are not allowed.': 'Halbe Zeichen (Surrogate) sind nicht erlaubt.',
  'Not a valid string.': 'Das ist kein Text.',
  'String value too large.': 'Der Text ist zu lang.',
  'A valid integer is required.': 'Hier wird eine ganze Zahl gebraucht.',
  'A valid integer, at least 1, is required.': 'Hier wird eine ganze Zahl ab 1 gebraucht.',
  'A valid number is required.': 'Hier wird eine Zahl gebraucht.',
  'Enter a whole number.': 'Gib eine ganze Zahl an.',
  'Enter a number.': 'Gib eine Zahl an.',
  'Must be a valid boolean.': 'Das muss wahr oder falsch sein.',
  'Value must be true or false.': 'Das muss wahr oder falsch sein.',
  'Value must be an integer.': 'Das muss eine ganze Zahl sein.',
  'Value must be a string.': 'Das muss ein Text sein.',
  'Value must be a decimal.': 'Das muss eine Dezimalzahl sein.',
  'Enter a valid date/time.': 'Gib ein gültiges Datum mit Uhrzeit an.',
  'Enter a valid UUID.': 'Gib eine gültige UUID an.',
  'Must be a valid UUID.': 'Das muss eine gültige UUID sein.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse an.',
  'Enter a valid URL.': 'Gib eine gültige Adresse (URL) an.',
  'A valid timezone is required.': 'Hier wird eine gültige Zeitzone gebraucht.',
  'Ensure this value is less than or equal to {most}.': 'Höchstens {most}.',
  'Ensure this value is greater than or equal to {least}.': 'Mindestens {least}.',
  'Ensure this field has no more than {most} characters.': 'Höchstens {most} Zeichen.',
  'Ensure this field has at least {least} characters.': 'Mindestens {least} Zeichen.',
  'Ensure this field has no more than {most} elements.': 'Höchstens {most} Einträge.',
  'Ensure this field has at least {least} elements.': 'Mindestens {least} Einträge.',
  'Ensure that there are no more than {most} decimal places.': 'Höchstens {most} Stellen nach dem Komma.',
  'Ensure that there are no more than {most} digits in total.': 'Höchstens {most} Ziffern.',
  'Ensure that there are no more than {most} digits before the decimal point.':
    'Höchstens {most} Ziffern vor dem Komma.',
  'Ensure this filename has at most {most} characters (it has {length}).':
    'Der Dateiname hat höchstens {most} Zeichen (dieser hat {length}).',
  'The file is larger than {most} bytes.': 'Die Datei ist größer als {most} Bytes.',
  'The image is larger than {width} by {height} pixels.': 'Das Bild ist größer als {width} mal {height} Pixel.',
  'The submitted file is empty.': 'Die Datei ist leer.',
  'Upload a valid image. The file you uploaded was either not an image or a corrupted image.':
    'Das ist kein Bild, oder es ist beschädigt.',
  'Select a valid choice. {value} is not one of the available choices.': '{value} steht nicht zur Wahl.',
  'Select a valid choice. That choice is not one of the available choices.': 'Das steht nicht zur Wahl.',
  'Related object not found using the provided value: {value}.': 'Dazu gibt es kein Objekt: {value}.',
  'Object type {type} does not exist.': 'Den Objekttyp {type} gibt es nicht.',
  'Invalid choice ({value}) for choice set {set}.': '{value} steht in der Auswahlliste {set} nicht zur Wahl.',
  "Missing required custom field '{name}'.": 'Das eigene Feld {name} muss ausgefüllt werden.',
  "Custom field '{name}' must have a unique value.": 'Der Wert des eigenen Feldes {name} muss einmalig sein.',
  "Custom field '{name}' does not exist for this object type.":
    'Das eigene Feld {name} gibt es bei diesem Objekttyp nicht.',
  'Tag {name} cannot be assigned to {label} objects.': 'Der Tag {name} ist für solche Objekte ({label}) nicht gedacht.',
  // Objekte, die sich widersprechen
  '{label} with this {fields} already exists.': 'Das gibt es schon ({label}: {fields}).',
  'Cannot assign self or child {label} as parent.':
    'Etwas kann nicht unter sich selbst oder dem stehen, was unter ihm ist.',
  'The object has changed since: its ETag is not the one in `If-Match`.': 'Das Objekt wurde inzwischen geändert.',
  'Object {id} is named more than once.': 'Das Objekt {id} ist mehrmals genannt.',
  'A request may hold at most {most} objects.': 'Auf einmal gehen höchstens {most} Objekte.',
  'Unable to delete object. It is being deleted by another request.':
    'Das Objekt wird gerade von jemand anderem gelöscht.',
  'The deletion took too long. Nothing was changed.': 'Das Löschen hat zu lange gedauert. Es wurde nichts geändert.',
  'The file could not be stored. Nothing was changed.': 'Die Datei ließ sich nicht ablegen. Es wurde nichts geändert.',
  'The {service} service cannot be reached. Nothing was changed.':
    'Der Dienst {service} ist nicht erreichbar. Es wurde nichts geändert.',
  'Components cannot be moved to a different device.': 'Teile lassen sich nicht in ein anderes Gerät versetzen.',
  'Component templates cannot be moved to a different device type.':
    'Vorlagen von Teilen lassen sich nicht in einen anderen Gerätetyp versetzen.',
  // Racks und Geräte
  'U height must be in increments of 0.5 rack units.': 'Die Höhe geht in Schritten von 0,5 Einheiten.',
  'Position must be in increments of 0.5 rack units.': 'Die Position geht in Schritten von 0,5 Einheiten.',
  'Must specify rack face when defining rack position.': 'Zu einer Position im Rack gehört die Seite.',
  'Cannot select a rack position without assigning a rack.': 'Zu einer Position gehört ein Rack.',
  'Cannot select a rack face without assigning a rack.': 'Zu einer Seite gehört ein Rack.',
  'Device name must be unique per site.': 'Der Name eines Geräts muss im Standort einmalig sein.',
  'Child device types must be 0U.': 'Gerätetypen, die in anderen stecken, haben die Höhe 0.',
  'A 0U device type ({type}) cannot be assigned to a rack position.':
    'Ein Gerätetyp der Höhe 0 ({type}) hat keine Position im Rack.',
  'Rack must be at least {units}U tall to house currently installed devices.':
    'Das Rack muss wenigstens {units} Einheiten hoch sein, damit seine Geräte hineinpassen.',
  'Rack {rack} does not belong to site {site}.': 'Das Rack {rack} gehört nicht zum Standort {site}.',
  'Rack {rack} does not belong to location {location}.': 'Das Rack {rack} gehört nicht zur Lokation {location}.',
  'Location {location} does not belong to site {site}.': 'Die Lokation {location} gehört nicht zum Standort {site}.',
  'Assigned location must belong to parent site ({site}).': 'Die Lokation muss zum Standort {site} gehören.',
  'Parent location ({location}) must belong to the same site ({site}).':
    'Die übergeordnete Lokation ({location}) muss zum selben Standort ({site}) gehören.',
  'Primary IP address must belong to an interface on the assigned device.':
    'Die primäre Adresse muss zu einem Interface des Geräts gehören.',
  'The specified IP address ({address}) is not assigned to this device.':
    'Die Adresse {address} gehört nicht zu diesem Gerät.',
  'The specified IP address ({address}) is not assigned to this VM.':
    'Die Adresse {address} gehört nicht zu dieser virtuellen Maschine.',
  'A device assigned to a virtual chassis must have its position defined.':
    'Ein Gerät in einem virtuellen Chassis braucht dort eine Position.',
  'An interface cannot be its own parent.': 'Ein Interface kann nicht über sich selbst stehen.',
  'An interface cannot be bridged to itself.': 'Ein Interface kann nicht mit sich selbst verbunden sein.',
  'A LAG interface cannot be its own parent.': 'Ein LAG kann nicht zu sich selbst gehören.',
  'Only virtual interfaces may be assigned to a parent interface.':
    'Nur virtuelle Interfaces haben ein übergeordnetes Interface.',
  'Wireless role may be set only on wireless interfaces.': 'Eine Funkrolle haben nur Funk-Interfaces.',
  'Channel may be set only on wireless interfaces.': 'Einen Kanal haben nur Funk-Interfaces.',
  'Allocated draw cannot exceed the maximum draw ({watts}W).':
    'Der zugeteilte Verbrauch kann nicht größer als der höchste ({watts} W) sein.',
  // Kabel
  'Must define A and B terminations when creating a new cable.': 'Ein neues Kabel braucht zwei Enden, A und B.',
  'A and B terminations cannot connect to the same object.': 'Die Enden A und B können nicht am selben Objekt sein.',
  'Cannot connect different termination types to same end of cable.':
    'An einem Ende eines Kabels können nicht verschiedene Arten von Anschlüssen sein.',
  'Cannot mark as connected with a cable attached.':
    'Woran ein Kabel steckt, lässt sich nicht als verbunden kennzeichnen.',
  // Adressen, Präfixe, VLANs
  'Cannot create prefix with /0 mask.': 'Ein Präfix mit der Maske /0 geht nicht.',
  'Cannot create aggregate with /0 mask.': 'Ein Aggregat mit der Maske /0 geht nicht.',
  'Cannot create IP address with /0 mask.': 'Eine Adresse mit der Maske /0 geht nicht.',
  'Cannot create IP address {address} inside range {range}.': 'Die Adresse {address} liegt im Bereich {range}.',
  'Aggregates cannot overlap. {prefix} is already covered by an existing aggregate ({other}).':
    'Aggregate überschneiden sich nicht: {prefix} liegt schon in {other}.',
  'Prefixes cannot overlap aggregates. {prefix} covers an existing aggregate ({other}).':
    'Aggregate überschneiden sich nicht: In {prefix} liegt schon {other}.',
  'Starting ASN ({first}) must be lower than ending ASN ({last}).':
    'Die erste ASN ({first}) muss kleiner als die letzte ({last}) sein.',
  'Ranges cannot overlap.': 'Bereiche dürfen sich nicht überschneiden.',
  'VLAN is assigned to group {group} (scope: {scope}); cannot also assign to site {site}.':
    'Das VLAN gehört zur Gruppe {group} (für {scope}) und kann nicht auch zum Standort {site} gehören.',
  'A Q-in-Q customer VLAN must be assigned to a service VLAN.': 'Ein Q-in-Q-Kunden-VLAN gehört zu einem Dienst-VLAN.',
  // Leitungen, virtuelle Maschinen
  'The assigned account must belong to the assigned provider.': 'Das Konto muss zu diesem Anbieter gehören.',
  'A circuit termination must attach to a terminating object.': 'Ein Leitungsende muss an etwas enden.',
  'A virtual machine must be assigned to a site, cluster, or device.':
    'Eine virtuelle Maschine gehört zu einem Standort, einem Cluster oder einem Gerät.',
  'Virtual machine name must be unique per cluster.':
    'Der Name einer virtuellen Maschine muss im Cluster einmalig sein.',
  'Virtual machine name must be unique per cluster and tenant.':
    'Der Name einer virtuellen Maschine muss im Cluster und beim Mandanten einmalig sein.',
  // Benutzer, Rechte, Tokens
  'A user with this username already exists.': 'Diesen Benutzernamen gibt es schon.',
  'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.':
    'Ein Benutzername besteht aus Buchstaben, Ziffern und den Zeichen @ . + - _.',
  'This password is too short. It must contain at least {least} characters.':
    'Das Passwort ist zu kurz: Es braucht mindestens {least} Zeichen.',
  'Password must have at least one numeral.': 'Das Passwort braucht mindestens eine Ziffer.',
  'Password must have at least one uppercase letter.': 'Das Passwort braucht mindestens einen Großbuchstaben.',
  'Password must have at least one lowercase letter.': 'Das Passwort braucht mindestens einen Kleinbuchstaben.',
  'The password of this account is not kept here: change it where it is kept, in the directory or at the identity provider.':
    'Das Passwort dieses Kontos liegt nicht hier: Ändere es dort, wo es liegt, im Verzeichnis oder beim Identitätsanbieter.',
  'This is not your present password.': 'Das ist nicht dein jetziges Passwort.',
  'Too many attempts have failed. Please try again in {seconds} seconds.':
    'Zu viele Versuche sind fehlgeschlagen. Versuch es in {seconds} Sekunden wieder.',
  'Too many passwords are being set or checked at present. Please try again.':
    'Zurzeit werden zu viele Passwörter geprüft. Versuch es noch einmal.',
  'The version of a token cannot be changed.': 'Die Version eines Tokens bleibt.',
  'Expiration time must be in the future. Current server time is {now} (UTC).':
    'Der Ablauf muss in der Zukunft liegen. Auf dem Server ist es {now} (UTC).',
  'A user may have {most} tokens at most. Delete some that are not used any more.':
    'Ein Benutzer hat höchstens {most} Tokens. Lösch welche, die niemand mehr benutzt.',
  'Only superusers may change the accounts of superusers.': 'Konten von Superusern ändern nur Superuser.',
  'Only superusers may make, change or delete the tokens of superusers.':
    'Tokens von Superusern dürfen nur Superuser anlegen, ändern und löschen.',
  'Nobody can give what they have not been given themselves: {rights}.':
    'Niemand kann geben, was er selbst nicht hat: {rights}.',
  // Anpassung
  'An action of type {action} needs an object of type {type}.':
    'Zu einer Aktion {action} gehört ein Objekt vom Typ {type}.',
  'Scripts are not part of this product; use a webhook or a notification.':
    'Skripte gibt es hier nicht; nimm einen Webhook oder eine Benachrichtigung.',
  'Changing the type of custom fields is not supported.': 'Der Typ eines eigenen Feldes bleibt.',
  'Only alphanumeric characters and underscores are allowed.': 'Nur Buchstaben, Ziffern und Unterstriche sind erlaubt.',
  'Do not specify a CA certificate file if SSL verification is disabled.':
    'Wo TLS nicht geprüft wird, gehört keine Datei mit Zertifikaten hin.',
  // Zweite Faktoren
  'This is not the code of the present time. Is the clock of the device right?':
    'Das ist nicht der Code, den die App gerade zeigt. Stimmt die Uhr des Geräts?',
  'A code has six digits.': 'Ein Code hat sechs Ziffern.',
  'This was begun too long ago, or in another session. Please begin again.':
    'Das hat zu lange gedauert oder begann in einer anderen Sitzung. Bitte fang noch einmal an.',
  'This has been confirmed already.': 'Das ist schon bestätigt.',
  'This is not what was asked of the passkey. Please try again.':
    'Das ist nicht, worum der Passkey gebeten war. Bitte versuch es noch einmal.',
  'This passkey is in use already.': 'Diesen Passkey gibt es hier schon.',
  'A user may have {most} second factors at most. Remove one first.':
    'Mehr als {most} zweite Faktoren gehen nicht. Entferne erst einen.',
  'Recovery codes are in place of a second factor. Set one up first.':
    'Wiederherstellungscodes stehen für einen zweiten Faktor. Richte erst einen ein.',
  'There is no key for the secrets of apps here: FACTOR_KEYS is not set.':
    'Für die Geheimnisse von Apps gibt es hier keinen Schlüssel: FACTOR_KEYS fehlt.',
  'This needs a proof of who you are that is not as long ago as yours. Please prove it again.':
    'Dafür musst du noch einmal zeigen, dass du es bist.',
  // Wer etwas nicht darf, und was gerade nicht geht
  'You do not have permission to perform this action.': 'Das darfst du nicht.',
  'Authentication credentials were not provided.': 'Dafür muss man angemeldet sein.',
  'Not found.': 'Das gibt es nicht.',
  'No {type} matches the given query.': 'Das gibt es nicht, oder du darfst es nicht sehen.',
  'There is no such object, or it may not be seen.': 'Das gibt es nicht, oder du darfst es nicht sehen.',
  'Too many {what} are waiting. Please try again later.': 'Zu viel wartet schon ({what}). Versuch es später wieder.',
};
