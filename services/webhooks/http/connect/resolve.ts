import { type LookupAddress, type LookupAllOptions, lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Policy, PolicyError } from './policy.ts';

/** Names to addresses, as `dns.lookup` does it. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** A name's addresses that the policy allows: what is checked is what is connected to. */
function allowedAddresses(policy: Policy, host: string, found: readonly LookupAddress[]): LookupAddress[] {
  const allowed = found.filter(({ address }) => policy.refusal(host, address) === null);
  if (allowed.length === 0)
    throw new PolicyError(found[0] ? (policy.refusal(host, found[0].address) ?? '') : `${host} has no address`);
  return allowed;
}

/** A lookup for sockets that only gives allowed addresses. */
export const guardedLookup =
  (policy: Policy, lookup: Lookup = dnsLookup): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      try {
        if (error) throw error;
        const allowed = allowedAddresses(policy, host, found);
        if (options.all) done(null, allowed);
        else done(null, allowed[0]!.address, allowed[0]!.family);
      } catch (problem) {
        done(problem as Error, '', 0);
      }
    });
  };

/**
 * An address of a host that may be connected to.
 * @throws PolicyError, or the error of the lookup
 */
export async function allowedAddress(policy: Policy, host: string, lookup: Lookup = dnsLookup): Promise<string> {
  if (isIP(host) !== 0) return allowedAddresses(policy, host, [{ address: host, family: isIP(host) }])[0]!.address;
  const found = await new Promise<LookupAddress[]>((resolve, reject) => {
    lookup(host, { all: true }, (error, all) => {
      if (error) reject(error);
      else resolve(all);
    });
  });
  return allowedAddresses(policy, host, found)[0]!.address;
}

/**
 * Checks a host whose address will be looked up by the proxy.
 * @throws PolicyError
 */
export function allowedName(policy: Policy, host: string): string {
  const refusal = policy.refusalOfName(host);
  if (refusal) throw new PolicyError(refusal);
  return host;
}
