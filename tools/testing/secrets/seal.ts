import { Secret } from '@cadastre/service/secret';
import { createSeal } from '@cadastre/service/seal';

/** What encrypts the secrets of tests that need no system. */
export const testSeal = createSeal([new Secret('a key that is only used by tests')]);
