/** Das eigene Konto: Passwort und Sitzungen, Zeiten. */
export const account = {
  presentPassword: 'Bisheriges Passwort',
  sessions: 'Sitzungen',
  sessionsHelp:
    'Wo du auf diesen Seiten angemeldet bist. Beende, was du nicht kennst, und ändere dann dein Passwort. API-Tokens stehen für sich.',
  sessionBrowser: 'Browser',
  sessionAddress: 'Adresse',
  sessionBegun: 'Begonnen',
  sessionSeen: 'Zuletzt gesehen',
  sessionExpires: 'Endet spätestens',
  thisSession: 'Diese Sitzung',
  endSession: 'Beenden',
  endSessionOf: 'Die Sitzung mit {browser} von {address} beenden',
  endOthers: 'Alle anderen beenden',
  sessionEnded: 'Die Sitzung ist beendet.',
  sessionsEnded: 'Alle anderen Sitzungen sind beendet.',
  browserOn: '{browser} auf {system}',
  otherBrowser: 'Unbekannter Browser',
};
