/** Die deutschen Texte der Seiten des Gateways, zu den englischen als Schlüsseln. */
export const de = {
  'Skip to the content': 'Zum Inhalt',
  'Log in': 'Anmelden',
  Username: 'Benutzername',
  Password: 'Passwort',
  'Welcome back': 'Willkommen zurück',
  'You are logged in again. What you had typed is still here; passwords and files are not.':
    'Du bist wieder angemeldet. Was du eingegeben hattest, ist noch da; Passwörter und Dateien nicht.',
  'Go on': 'Weiter',
  'Go to the home page': 'Zur Startseite',
  'This form was too old. Please log in now.': 'Dieses Formular war zu alt. Bitte melde dich jetzt an.',
  'A username and a password are needed.': 'Gib Benutzernamen und Passwort ein.',
  'Too many attempts have failed. Please wait {seconds} seconds.':
    'Zu viele Versuche sind gescheitert. Bitte warte {seconds} Sekunden.',
  'Too many log in at present. Please try again.':
    'Zurzeit melden sich zu viele gleichzeitig an. Bitte versuch es noch einmal.',
  'Your password cannot be checked at present, as the directory does not answer. Please try again later.':
    'Dein Passwort kann zurzeit nicht geprüft werden, weil das Verzeichnis nicht antwortet. Bitte versuch es später noch einmal.',
  'Invalid username or password.': 'Benutzername oder Passwort stimmt nicht.',
  'Your session has ended. Log in: what you typed is kept, and goes on from here.':
    'Deine Sitzung ist zu Ende. Melde dich an: Was du eingegeben hast, bleibt, und es geht von hier weiter.',
  'The request failed with status {status}.': 'Die Anfrage scheiterte mit dem Status {status}.',
  'Log out': 'Abmelden',
  'Log in with {name}': 'Anmelden mit {name}',
  'You go on at your login service. What you typed is kept.':
    'Es geht bei deinem Anmeldedienst weiter. Was du eingegeben hast, bleibt.',
  'You are logged out.': 'Du bist abgemeldet.',
  'You are logged out here. Your login service is asked to log you out, too.':
    'Du bist hier abgemeldet. Dein Anmeldedienst wird gebeten, dich auch dort abzumelden.',
  'Nobody logs in with a password here. Please use the other way.':
    'Hier kann man sich nicht mit einem Passwort anmelden. Bitte nimm den anderen Weg.',
  'This login was begun in another window, took too long, or has been used already. Please try again.':
    'Diese Anmeldung wurde in einem anderen Fenster begonnen, hat zu lange gedauert oder wurde schon benutzt. Bitte versuch es noch einmal.',
  'The login was cancelled, or you may not log in here.':
    'Die Anmeldung wurde abgebrochen, oder du darfst dich hier nicht anmelden.',
  'The login service cannot be reached at present. Please try again later.':
    'Der Anmeldedienst ist zurzeit nicht zu erreichen. Bitte versuch es später noch einmal.',
  'The login service does not say who you are. Please ask your administrator.':
    'Der Anmeldedienst sagt nicht, wer du bist. Bitte frag deinen Administrator.',
  'You have no account here. Please ask your administrator.':
    'Du hast hier kein Konto. Bitte frag deinen Administrator.',
  'Your account is not active. Please ask your administrator.':
    'Dein Konto ist nicht aktiv. Bitte frag deinen Administrator.',
  'Your name belongs to another account here already. Please ask your administrator.':
    'Dein Name gehört hier schon zu einem anderen Konto. Bitte frag deinen Administrator.',
  'No account here can have your name. Please ask your administrator.':
    'Deinen Namen kann hier kein Konto haben. Bitte frag deinen Administrator.',
  'The login service has not asked you anew who you are. Please try again, or ask your administrator.':
    'Der Anmeldedienst hat nicht noch einmal gefragt, wer du bist. Bitte versuch es noch einmal, oder frag deinen Administrator.',
  'Somebody else has logged in at the login service. Please log in there as yourself.':
    'Beim Anmeldedienst hat sich jemand anderes angemeldet. Bitte melde dich dort selbst an.',
  'There is no such login here.': 'Eine solche Anmeldung gibt es hier nicht.',
  'What the login service said does not count. Please try again.':
    'Die Antwort des Anmeldedienstes ist ungültig. Bitte versuch es noch einmal.',
  'Not permitted': 'Nicht erlaubt',
  'This did not work': 'Das hat nicht geklappt',
  'Second step': 'Zweiter Schritt',
  'That took too long. Please log in once more.': 'Das hat zu lange gedauert. Bitte melde dich noch einmal an.',
  'Please log in once more.': 'Bitte melde dich noch einmal an.',
  'What you had typed is still here; passwords and files are not.':
    'Was du eingegeben hattest, ist noch da; Passwörter und Dateien nicht.',
  'This passkey is not known here, or could not show whose it is.':
    'Diesen Passkey kennt hier niemand, oder er konnte nicht zeigen, wem er gehört.',
  'A code is needed.': 'Gib einen Code ein.',
  'This is not right, or was used before.': 'Das stimmt nicht oder wurde schon einmal benutzt.',
  'This is not your password.': 'Das ist nicht dein Passwort.',
  'Is it you?': 'Bist du es?',
  'The passkey has not answered. Please try again.': 'Der Passkey hat nicht geantwortet. Bitte versuch es noch einmal.',
  'Passkeys need a browser that knows them, with scripts.':
    'Passkeys brauchen einen Browser, der sie unterstützt und Skripte ausführt.',
  'Use a passkey': 'Passkey benutzen',
  Code: 'Code',
  'Of your app, or a recovery code.': 'Aus deiner App, oder ein Wiederherstellungscode.',
  'Of your app.': 'Aus deiner App.',
  'A recovery code.': 'Ein Wiederherstellungscode.',
  'Your password was right. Now prove that you have what only you have.':
    'Dein Passwort stimmt. Bestätige die Anmeldung jetzt mit deinem zweiten Faktor.',
  'Back to the login': 'Zurück zur Anmeldung',
  'Before secrets and rights are touched, please prove once more that it is you, {name}.':
    'Bevor es an Geheimnisse und Rechte geht, bestätige bitte noch einmal, dass du es bist, {name}.',
  'What you typed is kept, and goes on from here.': 'Was du eingegeben hast, bleibt, und es geht von hier weiter.',
  'You were let in by another system: log in there once more.':
    'Du hast dich über ein anderes System angemeldet: Melde dich dort noch einmal an.',
  'Log in once more': 'Noch einmal anmelden',
  'Your login service asks you once more who you are.': 'Dein Anmeldedienst fragt noch einmal, wer du bist.',
} as const;
