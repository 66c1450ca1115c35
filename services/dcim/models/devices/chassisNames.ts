// Names of components may tell where their device stands in a virtual chassis: `{vc_position}`.
import type { Values } from '@cadastre/model';

/** With a colon, what it stands for outside of a chassis. */
const TOKEN = /\{vc_position(?::([^{}]*))?\}/g;

/** What it stands for there otherwise. */
const OUTSIDE = '0';

/** The position of a device in its chassis, undefined outside of one. */
export const chassisPosition = (device: Values | null): string | undefined => {
  const position = device?.['virtual_chassis'] == null ? null : device['vc_position'];
  return position == null ? undefined : String(position);
};

/** A text with the position in place of tokens. */
export const inChassis = (text: string, position: string | undefined): string =>
  text.replace(TOKEN, (_, outside?: string) => position ?? outside ?? OUTSIDE);
