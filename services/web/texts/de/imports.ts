/** Why a text cannot be read, and how far an import of many objects is. */
export const imports = {
  importRows: 'Mehr als {count} Objekte lassen sich nicht auf einmal importieren. Teile den Text in mehrere.',
  importFields: 'Ein Objekt darf höchstens {count} Felder haben.',
  importValues: 'Ein Text darf höchstens {count} Werte bringen. Teile ihn in mehrere.',
  importDepth: 'Listen und Objekte dürfen höchstens {count} Ebenen tief ineinander liegen.',
  importLength: 'Das ist länger als {count} Zeichen.',
  importSize: 'Mit allem ausgeschrieben, wofür Aliase stehen, ist das länger als {count} Zeichen.',
  importNumber: 'Das ist keine Zahl, die sich aufbewahren lässt.',
  importObject: 'Hier wird ein Objekt erwartet.',
  importColumnTwice: '„{name}“ steht hier zweimal.',
  importMalformed: 'Das ist kein gültiges {format}: {text}',
  importJsonValue: 'Das ist kein gültiges JSON: Hier wird ein Wert erwartet.',
  importJsonComma: 'Das ist kein gültiges JSON: Hier fehlt ein Komma.',
  importJsonColon: 'Das ist kein gültiges JSON: Hier fehlt ein Doppelpunkt.',
  importJsonName: 'Das ist kein gültiges JSON: Hier wird ein Name in doppelten Anführungszeichen erwartet.',
  importJsonEnd: 'Das ist kein gültiges JSON: Hier darf nichts mehr folgen.',
  importReadLimit:
    'Diesen Text zu lesen braucht mehr Zeit oder Speicher, als ein Import darf. Teile ihn in mehrere, oder bring ihn als CSV.',
  importTooMuch: 'Das ist zu viel, um es in Teilen zu importieren. Teile den Text in mehrere.',
  importMayNot: 'Du darfst solche Objekte weder machen noch ändern.',
  importRead: 'Der Text wird gelesen: bisher {count} Objekte.',
  importChecked: '{done} von {total} angesehen',
  importStop: 'Anhalten',
  importStopped: 'Angehalten. Nichts wurde importiert.',
  importStoppedAt:
    'Angehalten: {done} von {total} waren importiert. Ein Teil, der gerade unterwegs war, kann es auch sein; das Änderungsprotokoll sagt es.',
  importLost: 'Was importiert werden sollte, ist nicht ganz angekommen. Bitte beginne noch einmal mit dem Text.',
  importRestFrom:
    '{done} von {total} wurden vor diesem Teil importiert; von ihm und dem, was folgt, nichts. Was übrig ist, beginnt in Zeile {line} deines Textes; teile ihn dort.',
} as const;
