import type { Seal } from '@cadastre/model';
import type { Config } from '@cadastre/service/config';
import type { Executor } from '@cadastre/service/executor';
import { createSeal } from '@cadastre/service/seal';
import type { LoginLimits } from '../passwords/attempts.ts';
import type { FactorLimits, FactorOptions } from './check.ts';

/** What opens the secrets of apps, where there is a key for them. */
export const sealOf = ({ factorKeys }: Pick<Config, 'factorKeys'>): Seal | undefined =>
  factorKeys.length ? createSeal(factorKeys) : undefined;

/** What factors are checked with, as the settings say. */
export const factorOptions = (
  db: Executor,
  config: FactorLimits & LoginLimits & Pick<Config, 'factorKeys'>,
  security: FactorOptions['security'],
): FactorOptions => ({
  db,
  limits: config,
  security,
  seal: sealOf(config),
});
