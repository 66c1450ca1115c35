/** Texts of one's own account: password and sessions, times. */
export const account = {
  presentPassword: 'Present password',
  sessions: 'Sessions',
  sessionsHelp:
    'Where you are logged in to these pages. End what you do not know, and change your password then. API tokens are listed by themselves.',
  sessionBrowser: 'Browser',
  sessionAddress: 'Address',
  sessionBegun: 'Begun',
  sessionSeen: 'Last seen',
  sessionExpires: 'Ends at the latest',
  thisSession: 'This session',
  endSession: 'End',
  endSessionOf: 'End the session with {browser} from {address}',
  endOthers: 'End all others',
  sessionEnded: 'The session has ended.',
  sessionsEnded: 'All other sessions have ended.',
  browserOn: '{browser} on {system}',
  otherBrowser: 'Unknown browser',
} as const;
