/** Texte über Rechte, Konten und Tokens, nach den englischen. */
export const de = {
  // Was zu einer Berechtigung passt
  '{count} or more': '{count} oder mehr',
  'Objects that match at present:': 'Objekte, die zurzeit passen:',
  'Choose object types to see how many objects match.':
    'Wähle Typen von Objekten, um zu sehen, wie viele Objekte passen.',
  'As soon as this is JSON, the number of objects that match stands here.':
    'Sobald das JSON ist, steht hier, wie viele Objekte passen.',
  // Berechtigungen
  'the user': 'direkt',
  'group {name}': 'Gruppe {name}',
  none: 'keine',
  yes: 'ja',
  no: 'nein',
  Permission: 'Berechtigung',
  By: 'Durch',
  Enabled: 'Aktiv',
  Actions: 'Aktionen',
  Types: 'Typen',
  Constraints: 'Bedingungen',
  'All permissions of this user': 'Alle Berechtigungen dieses Benutzers',
  'All permissions': 'Alle Berechtigungen',
  'This user has no permissions, neither directly nor by a group.':
    'Dieser Benutzer hat keine Berechtigungen, weder direkt noch durch eine Gruppe.',
  // Tokens
  'Last used': 'Zuletzt benutzt',
  never: 'nie',
  From: 'Von',
  'Ends unless it is used': 'Endet, wenn es nicht benutzt wird',
  'Another took its place': 'Durch ein anderes ersetzt',
  'Its user was warned': 'Sein Benutzer wurde gewarnt',
  '{days} days before it expires': '{days} Tage, bevor es abläuft',
  Rotate: 'Ersetzen',
  'Makes a new token of the same user with the same rights. The old one goes on for a while, so that whoever uses it can change over.':
    'Legt ein neues Token desselben Benutzers mit denselben Rechten an. Das alte gilt noch eine Weile, damit Zeit zum Umstellen bleibt.',
  'The new token expires within {days} days.': 'Das neue Token läuft in höchstens {days} Tagen ab.',
  'The old token goes on for': 'Das alte Token gilt noch',
  'the usual time': 'so lange wie üblich',
  'not at all': 'gar nicht',
  'an hour': 'eine Stunde',
  'a day': 'einen Tag',
  'a week': 'eine Woche',
  'Back to {name}': 'Zurück zu {name}',
  'The token was made': 'Das Token ist angelegt',
  'To clients that look for the prefix of NetBox give the same token with nbt_ in place of svc_.':
    'Programmen, die NetBox’ Präfix erwarten, gib dasselbe Token mit nbt_ statt svc_.',
  'Copy it now. It is not shown again.': 'Kopiere es jetzt. Es wird nicht noch einmal gezeigt.',
  // Zugang
  'Without a password: this account is used by its tokens alone.':
    'Ohne Passwort: Dieses Konto wird nur durch seine Tokens benutzt.',
  'API tokens': 'API-Tokens',
  Token: 'Token',
  Expires: 'Läuft ab',
  'All {count} tokens': 'Alle {count} Tokens',
  'No tokens that you may see.': 'Keine Tokens, die du sehen darfst.',
  'Revoke all tokens': 'Alle Tokens widerrufen',
  'Deletes all tokens of this user, at once. What uses them is refused from then on.':
    'Löscht alle Tokens dieses Benutzers, sofort. Was sie benutzt, wird von da an abgewiesen.',
  'Take the password away': 'Passwort wegnehmen',
  'Nobody can log in to this account by a password then, and its sessions end. Its tokens go on. Set a new password to undo it.':
    'Mit einem Passwort kann sich dann niemand mehr unter diesem Konto anmelden, und seine Sitzungen enden. Seine Tokens gelten weiter. Ein neues Passwort macht es rückgängig.',
  Back: 'Zurück',
  // Die Frage
  'May this user': 'Darf dieser Benutzer',
  'objects of type': 'mit Objekten vom Typ',
  'with ID (optional)': 'mit der ID (optional)',
  'Tell me': 'Sag es mir',
  // Die Antwort
  'Yes.': 'Ja.',
  'No.': 'Nein.',
  'If it matches.': 'Wenn es passt.',
  'objects of type {type}': 'Objekte vom Typ {type}',
  '{type} {id} (which there is not, or which you may not see)':
    '{type} {id} (das es nicht gibt oder das du nicht sehen darfst)',
  '{answer} The account is not active, so its user may do nothing.':
    '{answer} Das Konto ist nicht aktiv, also darf sein Benutzer nichts.',
  '{answer} The user is a superuser and may {action} {what}, whatever permissions say.':
    '{answer} Der Benutzer ist Superuser und darf das ({action}): {what}, was immer Berechtigungen sagen.',
  '{answer} The user may {action} {what}, whatever they are like.':
    '{answer} Der Benutzer darf das ({action}): {what}, wie immer sie sind.',
  '{answer} The user may {action} {what}, as it meets one of these constraints: {constraints}':
    '{answer} Der Benutzer darf das ({action}): {what}, denn eine dieser Bedingungen ist erfüllt: {constraints}',
  '{answer} The user may {action} objects of type {type}, but {what} meets none of these constraints: {constraints}':
    '{answer} Der Benutzer darf das ({action}) mit Objekten vom Typ {type}, aber {what} erfüllt keine dieser Bedingungen: {constraints}',
  '{answer} The user may {action} {what}, where one of these constraints is met: {constraints}':
    '{answer} Der Benutzer darf das ({action}): {what}, wo eine dieser Bedingungen erfüllt ist: {constraints}',
  '{answer} No permission lets the user {action} {what}.':
    '{answer} Keine Berechtigung erlaubt dem Benutzer das ({action}): {what}.',
  'Permissions that say so': 'Berechtigungen, die das sagen',
  'These would, if they were enabled:': 'Diese würden es erlauben, wenn sie aktiv wären:',
  'Disabled permissions': 'Ausgeschaltete Berechtigungen',
  'Everybody may besides do what the setting DEFAULT_PERMISSIONS says: usually what has to do with their own tokens, bookmarks, notifications and subscriptions.':
    'Außerdem dürfen alle, was die Einstellung DEFAULT_PERMISSIONS sagt: meist das, was mit eigenen Tokens, Lesezeichen, Benachrichtigungen und Abonnements zu tun hat.',
  // Zweite Faktoren
  'All second factors and recovery codes of {name} are removed. Then the password alone lets them in, so make sure that it is they who ask for it.':
    'Alle zweiten Faktoren und Wiederherstellungscodes von {name} werden entfernt. Danach reicht das Passwort allein, also vergewissere dich, dass die Bitte wirklich von dieser Person kommt.',
  'Remove them': 'Entfernen',
} as const;
