// Names of components may contain the position of their device in a virtual chassis: `{vc_position}`.
import type { Values } from '@cadastre/model';

/** The text after a colon replaces the token outside of a chassis. */
const TOKEN = /\{vc_position(?::([^{}]*))?\}/g;

/** The replacement outside of a chassis when the token has no text of its own. */
const OUTSIDE = '0';

/** The position of a device in its chassis, undefined outside of one. */
export const chassisPosition = (device: Values | null): string | undefined => {
  const position = device?.['virtual_chassis'] == null ? null : device['vc_position'];
  return position == null ? undefined : String(position);
};

/** A text with the position in place of tokens. */
export const inChassis = (text: string, position: string | undefined): string =>
  text.replace(TOKEN, (_, outside?: string) => position ?? outside ?? OUTSIDE);
