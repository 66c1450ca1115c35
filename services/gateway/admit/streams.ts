import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '@cadastre/service/identity';
import type { Admit } from './admission.ts';

// On the request itself: a weak map with an entry for each request keeps the garbage collector busy.
const identityOf = Symbol('identity');
type Known = IncomingMessage & { [identityOf]?: Identity };

/** Keeps with a request as whom its client was admitted. */
export function keepIdentity(req: Known, identity: Identity): void {
  req[identityOf] = identity;
}

/** The id of the user as whom its client was admitted; undefined before that, and for one without a login. */
export const userKept = (req: Known): number | undefined => userIn(req[identityOf]);
export const userIn = (identity: Identity | undefined): number | undefined =>
  identity && !identity.anonymous ? identity.userId : undefined;

/** A streaming answer, and when its client was last admitted. */
interface Open {
  end(): void;
  isStill(): Promise<boolean>;
  seen: number;
}

/** The parts of an identity that matter for a stream; the time of the last reauthentication does not. */
const textOf = (identity: Identity | undefined): string =>
  JSON.stringify({ ...identity, provenUntil: undefined, configVersion: undefined });

export interface Streams {
  /** Checks a streaming answer's client until the answer has ended. */
  watch(req: IncomingMessage, res: ServerResponse, end: () => void): void;
  /** Checks all clients at once, because something has changed. */
  look(): void;
}

/** How often clients are checked anyway, which finds expired tokens and changes that this process has missed. */
const EVERY_MS = 500;
/** How long a stream may go on while it is unknown whether its client would still be admitted. */
const UNKNOWN_MS = 10_000;

/**
 * Ends streaming answers whose client would no longer be admitted, or would be with other permissions.
 */
export function streams(admit: Admit): Streams {
  const open = new Set<Open>();
  let looking = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const check = async (one: Open): Promise<void> => {
    const began = Date.now();
    // The auth service may be away for a moment, and could admit nobody then.
    const still = await one.isStill().catch(() => (began - one.seen < UNKNOWN_MS ? undefined : false));
    if (still) one.seen = began;
    if (still === false && open.delete(one)) one.end();
  };
  const look = async (): Promise<void> => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    do {
      again = false;
      await Promise.all([...open].map(check));
    } while (again);
    looking = false;
  };

  return {
    watch(req: Known, res, end) {
      const first = textOf(req[identityOf]);
      const one: Open = {
        end,
        seen: Date.now(),
        isStill: async () => {
          const now = await admit(req);
          return 'identity' in now && textOf(now.identity) === first;
        },
      };
      open.add(one);
      timer ??= setInterval(() => void look(), EVERY_MS).unref();
      res.once('close', () => {
        open.delete(one);
        if (!open.size) {
          clearInterval(timer);
          timer = undefined;
        }
      });
    },
    look: () => {
      if (open.size) void look();
    },
  };
}
