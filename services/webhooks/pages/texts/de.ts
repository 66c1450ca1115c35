/** Texte der Seiten von Webhooks, Regeln, Zustellungen und Wiederholungen, nach den englischen. */
export const de = {
  // Zustellungen
  Delivery: 'Zustellung',
  Deliveries: 'Zustellungen',
  'All deliveries': 'Alle Zustellungen',
  '{state} deliveries': 'Zustellungen: {state}',
  '{count} deliveries': '{count} Zustellungen',
  'Deliveries by state': 'Zustellungen nach Zustand',
  Object: 'Objekt',
  Error: 'Fehler',
  Created: 'Erstellt',
  Updated: 'Geändert',
  Deleted: 'Gelöscht',
  'The delivery was requeued.': 'Die Zustellung steht wieder in der Warteschlange.',
  '{count} delivery requeued.': '{count} Zustellung steht wieder in der Warteschlange.',
  '{count} deliveries requeued.': '{count} Zustellungen stehen wieder in der Warteschlange.',
  'Requeue all {count}': 'Alle {count} wieder einreihen',
  'The delivery was cancelled.': 'Die Zustellung wurde abgebrochen.',
  '{count} delivery cancelled.': '{count} Zustellung abgebrochen.',
  '{count} deliveries cancelled.': '{count} Zustellungen abgebrochen.',
  'Cancel all {count}': 'Alle {count} abbrechen',
  'There are more; repeat it for those.': 'Es gibt mehr; wiederhole es für diese.',
  'The test is on its way.': 'Der Test ist unterwegs.',
  Live: 'Live',
  'Cannot reach the server': 'Der Server ist nicht erreichbar',
  Reconnecting: 'Verbinde neu',
  'Updated every 5 seconds': 'Alle 5 Sekunden erneuert',
  'last hour': 'letzte Stunde',
  'last day': 'letzter Tag',
  'last week': 'letzte Woche',
  'any time': 'jederzeit',
  'next attempt {when}': 'nächster Versuch {when}',
  'Next attempt {when}.': 'Nächster Versuch {when}.',
  '“{value}” is none of them: {words}.': '„{value}“ ist keines davon: {words}.',
  '“{type}” is no type of objects. One is written like dcim.site.':
    '„{type}“ ist kein Typ von Objekten. Man schreibt ihn wie dcim.site.',
  // Eine Zustellung
  'Change record': 'Änderung',
  Webhook: 'Webhook',
  deleted: 'gelöscht',
  'Event rule': 'Ereignisregel',
  Replay: 'Wiederholung',
  Request: 'Anfrage',
  Response: 'Antwort',
  Attempts: 'Versuche',
  'requeued once': 'einmal wieder eingereiht',
  'requeued {count} times': '{count}-mal wieder eingereiht',
  'Requested by': 'Veranlasst von',
  'Last started': 'Zuletzt begonnen',
  Finished: 'Beendet',
  'Cancelled by': 'Abgebrochen von',
  Worker: 'Prozess',
  'Edit the webhook': 'Webhook bearbeiten',
  'Test the webhook': 'Webhook testen',
  'Request headers': 'Kopfzeilen der Anfrage',
  'Request body': 'Inhalt der Anfrage',
  'The request could not be built.': 'Die Anfrage ließ sich nicht bilden.',
  'Response headers': 'Kopfzeilen der Antwort',
  'Response body': 'Inhalt der Antwort',
  'The body was empty.': 'Der Inhalt war leer.',
  'No response.': 'Keine Antwort.',
  'no response': 'keine Antwort',
  'Attempt {number}': 'Versuch {number}',
  'Request of attempt {number}': 'Anfrage des Versuchs {number}',
  'Response to attempt {number}': 'Antwort auf Versuch {number}',
  'No attempt has been made yet.': 'Es gab noch keinen Versuch.',
  'What was told of the object is for those who may view it.':
    'Was über das Objekt gesagt wurde, ist für die, die es sehen dürfen.',
  'What was told of the object': 'Was über das Objekt gesagt wurde',
  Payload: 'Inhalt',
  // Was zu tun ist
  'A template of the webhook does not render. Correct payload_url, additional_headers or body_template.':
    'Eine Vorlage des Webhooks lässt sich nicht füllen. Berichtige payload_url, additional_headers oder body_template.',
  'What payload_url makes of this event is no address to send to. Correct it in the webhook.':
    'Was payload_url aus diesem Ereignis macht, ist keine Adresse, an die sich senden ließe. Berichtige das im Webhook.',
  'What additional_headers makes of this event is no list of headers. Correct it in the webhook.':
    'Was additional_headers aus diesem Ereignis macht, ist keine Liste von Kopfzeilen. Berichtige das im Webhook.',
  'The settings of this installation forbid this destination. An administrator can change WEBHOOK_ALLOW, WEBHOOK_DENY or WEBHOOK_ALLOW_PRIVATE_ADDRESSES.':
    'Die Einstellungen dieser Installation verbieten dieses Ziel. Ein Administrator kann WEBHOOK_ALLOW, WEBHOOK_DENY oder WEBHOOK_ALLOW_PRIVATE_ADDRESSES ändern.',
  'The name of the host is not known here. Look for a misprint in payload_url, and ask the name server of this machine.':
    'Der Name des Hosts ist hier nicht bekannt. Such in payload_url nach einem Schreibfehler, und frag den Nameserver dieser Maschine.',
  'Nobody answers at this address. Is the receiver running, and does a firewall let this machine through?':
    'Unter dieser Adresse antwortet niemand. Läuft der Empfänger, und lässt eine Firewall diese Maschine durch?',
  'If the receiver has a certificate of your own authority, name the authority’s file in ca_file_path of the webhook (in the folder that WEBHOOK_CA_DIR names). Where certificates cannot be checked at all, ssl_verification can be switched off.':
    'Hat der Empfänger ein Zertifikat eurer eigenen Stelle, so nenne deren Datei in ca_file_path des Webhooks (im Ordner, den WEBHOOK_CA_DIR nennt). Wo sich Zertifikate gar nicht prüfen lassen, kann ssl_verification ausgeschaltet werden.',
  'The receiver took too long. It should answer at once and work afterwards; how long is waited, WEBHOOK_TIMEOUT_MS says.':
    'Der Empfänger brauchte zu lange. Er sollte sofort antworten und danach arbeiten; wie lange gewartet wird, sagt WEBHOOK_TIMEOUT_MS.',
  'The receiver did not answer as HTTP is written. Is something else listening there?':
    'Der Empfänger antwortete nicht, wie es HTTP verlangt. Hört dort etwas anderes?',
  'The webhook is gone or cannot be read any more. Make it anew, or cancel what waits for it.':
    'Den Webhook gibt es nicht mehr, oder er lässt sich nicht lesen. Mach ihn neu, oder brich ab, was auf ihn wartet.',
  'The process that had it went away. Requeue it.': 'Der Prozess, der sie hatte, ist weg. Reihe sie wieder ein.',
  'The receiver does not take our credentials. Look at additional_headers, the secrets and the user in payload_url.':
    'Der Empfänger nimmt unsere Anmeldung nicht an. Sieh nach additional_headers, den Geheimnissen und dem Benutzer in payload_url.',
  'The receiver knows no such address, or not for this method. Look at payload_url and http_method.':
    'Der Empfänger kennt diese Adresse nicht, oder nicht für diese Methode. Sieh nach payload_url und http_method.',
  'The message is too large for the receiver. A body_template can send less.':
    'Die Nachricht ist zu groß für den Empfänger. Mit body_template lässt sich weniger senden.',
  'The receiver does not like the message. Compare body_template and http_content_type with what it expects; its answer is below.':
    'Die Nachricht gefällt dem Empfänger nicht. Vergleiche body_template und http_content_type mit dem, was er erwartet; seine Antwort steht unten.',
  'The receiver is asked too often. WEBHOOK_DESTINATION_RATE limits how often that is.':
    'Der Empfänger wird zu oft gefragt. WEBHOOK_DESTINATION_RATE begrenzt, wie oft.',
  'The receiver speaks no TLS at this port. Should payload_url begin with http:// ?':
    'Der Empfänger spricht an diesem Port kein TLS. Sollte payload_url mit http:// beginnen?',
  'The receiver failed by itself. Its logs say why; requeue the delivery afterwards.':
    'Der Empfänger ist selbst gescheitert. Sein Protokoll sagt, warum; reihe die Zustellung danach wieder ein.',
  // Letzte Fehler
  'Last failures': 'Letzte Fehler',
  'No delivery has failed.': 'Keine Zustellung ist fehlgeschlagen.',
  'No delivery of it has failed.': 'Keine Zustellung davon ist fehlgeschlagen.',
  'All {count} that failed': 'Alle {count}, die fehlgeschlagen sind',
  // Webhooks und Regeln
  enabled: 'eingeschaltet',
  disabled: 'ausgeschaltet',
  Enable: 'Einschalten',
  Disable: 'Ausschalten',
  'All {count} rules': 'Alle {count} Regeln',
  'No event rule sends this webhook, so it is silent.': 'Keine Ereignisregel sendet diesen Webhook, also schweigt er.',
  'Add a rule': 'Regel hinzufügen',
  'Nothing was sent within the last day.': 'Im letzten Tag wurde nichts gesendet.',
  '{succeeded} succeeded, {failed} failed': '{succeeded} gelungen, {failed} fehlgeschlagen',
  'half within {half}, 95 % within {most}': 'die Hälfte in {half}, 95 % in {most}',
  'half; 95 % within {most}': 'die Hälfte; 95 % in {most}',
  'Success rate': 'Gelungen',
  '{count} of {all}': '{count} von {all}',
  Latency: 'Dauer',
  'Deliveries by hour': 'Zustellungen je Stunde',
  'Latency by hour': 'Dauer je Stunde',
  succeeded: 'gelungen',
  failed: 'fehlgeschlagen',
  half: 'die Hälfte',
  // Test
  Test: 'Test',
  'Sends a sample request about an object, as it is now, to {address}.':
    'Sendet eine Anfrage zur Probe über ein Objekt, wie es jetzt ist, an {address}.',
  'Object type': 'Typ des Objekts',
  'Object ID': 'ID des Objekts',
  Event: 'Ereignis',
  'Choose …': 'Wählen …',
  'Send the test': 'Test senden',
  // Wiederholung
  'The replay was started.': 'Die Wiederholung hat begonnen.',
  '{deliveries} for {count} changes': '{deliveries} für {count} Änderungen',
  'Nothing has changed in this time, so nothing would be sent.':
    'In dieser Zeit hat sich nichts geändert, also würde nichts gesendet.',
  '1 delivery': '1 Zustellung',
  '1 change': '1 Änderung',
  '{count} changes': '{count} Änderungen',
  'It would send {deliveries} for {changes}.': 'Gesendet würden {deliveries} für {changes}.',
  'It would send at least {deliveries} for {changes} that were counted; there are more.':
    'Gesendet würden mindestens {deliveries} für {changes}, soweit gezählt; es gibt mehr.',
  'Sends again what this webhook’s enabled event rules send for the changes made within a time range. The requests go to {address}.':
    'Sendet noch einmal, was die eingeschalteten Ereignisregeln dieses Webhooks für die Änderungen in einem Zeitraum senden. Die Anfragen gehen an {address}.',
  From: 'Von',
  To: 'Bis',
  'Leave it empty for now.': 'Leer lassen für jetzt.',
  'Object types': 'Typen von Objekten',
  'Leave it empty for all.': 'Leer lassen für alle.',
  'Leave it empty for all: {types}.': 'Leer lassen für alle: {types}.',
  'Send {count}': '{count} senden',
  'Send at least {count}': 'Mindestens {count} senden',
  'Count again': 'Noch einmal zählen',
  'Count what it would send': 'Zählen, was gesendet würde',
  'Start without counting': 'Ohne Zählen beginnen',
  // Prozesse
  Workers: 'Prozesse',
  State: 'Zustand',
  Succeeded: 'Gelungen',
  Failed: 'Fehlgeschlagen',
  'Running since': 'Läuft seit',
  busy: 'arbeitet',
  idle: 'wartet',
  'A worker is a process that sends deliveries, many at the same time.':
    'Das sind die Prozesse, die Zustellungen senden, jeder viele zugleich.',
  'Nothing has been sent so far: {rules} say which changes are sent by which {webhooks}.':
    'Bisher wurde nichts gesendet: {rules} sagen, welche Änderungen durch welchen {webhooks} gesendet werden.',
  'event rules': 'Ereignisregeln',
  webhook: 'Webhook',
  'No worker is running. Deliveries wait until one starts.':
    'Kein Prozess läuft. Zustellungen warten, bis einer beginnt.',
} as const;

/** What is said in English. */
export type Said = keyof typeof de;
