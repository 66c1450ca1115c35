/** The name of the model that keeps security events. */
export const SECURITY_EVENT = 'core.securityevent';

export const SECURITY_KINDS = {
  login: 'Login',
  login_paused: 'Login paused',
  logout: 'Logout',
  session_ended: 'Sessions ended',
  second_factor: 'Second factor',
  factor_changed: 'Second factor changed',
  reauthentication: 'Re-authentication',
  external_account: 'External account',
  password_changed: 'Password changed',
  token_provisioned: 'Token provisioned',
  token_changed: 'Token changed',
  token_expiring: 'Token expires soon',
  token_refused: 'Token refused',
  permission_refused: 'Permission refused',
  rights_changed: 'Rights changed',
  events_dropped: 'Events dropped',
} as const;

/** The kinds of events in the security log. */
export type SecurityKind = keyof typeof SECURITY_KINDS;
