/** Was von den Spalten einer Datei zum Importieren gesagt wird, und von den Objekten, die sie nennen. */
export const naming = {
  importNone: 'Es gibt kein Objekt „{text}“ für {label}, oder du darfst es nicht sehen.',
  importNoneWithin: 'Es gibt kein Objekt „{text}“ für {label} in {within}, oder du darfst es nicht sehen.',
  importSeveral: '„{text}“ können mehrere Objekte für {label} sein: {some}. Gib mit {ways} an, welches.',
  importNoObject: 'Es gibt kein Objekt mit der ID {id}, oder du darfst es nicht sehen.',
  importNoType: 'Von welchem Typ {label} ist, sagt die Zeile nicht: Fülle {columns} aus.',
  importNoId: 'Eine Zahl wird hier als {what} gesucht; eine ID steht in einer Spalte {column}.',
  importNeeds: 'Fülle auch {columns} aus.',
  importWhole: 'Hier wird eine ganze Zahl erwartet.',
  importYesNo: 'Gib true oder false an.',
  importTypes: 'Nenne einen dieser Typen: {types}.',
  importName: 'Hier wird der Name eines Objekts erwartet.',
  importRound: 'Diese Zeilen verweisen im Kreis aufeinander, sodass keine zuerst angelegt werden kann.',
  importPassed: 'Übergangen, weil es niemand schreiben kann oder weil es noch nicht da ist: {columns}.',
  importDone: '{made} Objekte wurden angelegt, {changed} geändert.',
  importFound: 'gesucht mit {by}',
  importFoundWithin: 'gesucht mit {by} in {within}',
  importLeft:
    '{count} Objekte wurden angelegt, bevor etwas abgelehnt wurde, und du darfst sie nicht löschen. Sonst wurde nichts importiert.',
} as const;
