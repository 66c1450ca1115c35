/** Texte der Tür, nach den englischen. */
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
  'A username and a password are needed.': 'Benutzername und Passwort sind nötig.',
  'Too many attempts have failed. Please wait {seconds} seconds.':
    'Zu viele Versuche sind gescheitert. Bitte warte {seconds} Sekunden.',
  'Too many log in at present. Please try again.': 'Zurzeit melden sich zu viele an. Bitte versuch es noch einmal.',
  'Invalid username or password.': 'Benutzername oder Passwort stimmt nicht.',
  'Your session has ended. Log in: what you typed is kept, and goes on from here.':
    'Deine Sitzung ist zu Ende. Melde dich an: Was du eingegeben hast, bleibt, und es geht von hier weiter.',
  'The request failed with status {status}.': 'Die Anfrage scheiterte mit dem Status {status}.',
  'Not permitted': 'Nicht erlaubt',
  'This did not work': 'Das hat nicht geklappt',
} as const;
