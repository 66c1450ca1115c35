import { test } from '@jest/globals';
import { makeSite } from '../../support/webhooks/hooks.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const view = { types: ['dcim.site', 'dcim.device', 'ipam.prefix', 'extras.tag'], actions: ['view'] };
/** Takes PostgreSQL seconds of work before it has compared anything. */
const slow = encodeURIComponent(String.raw`(\w?\d?\s?){240}x`);

test('searches by regular expression without end, in several services, are nothing to others', async () => {
  await makeSite(used.admin);
  const slug = unique('tag');
  await used.admin.make('/api/extras/tags/', { name: slug, slug });
  await used.admin.make('/api/ipam/prefixes/', { prefix: '10.250.0.0/16', description: slug });
  const { client: attacker } = await userWith(used.admin, view);
  const { client: other } = await userWith(used.admin, view);
  const headers = { Authorization: attacker.authorization! };
  const paths = [
    `/api/dcim/sites/?name__regex=${slow}`,
    `/api/ipam/prefixes/?description__iregex=${slow}`,
    `/api/extras/tags/?name__regex=${slow}`,
  ];
  const { authorization, base } = other;
  const everyones = everyday(other);
  const own = { url: `${base}/api/dcim/sites/?name__regex=%5Ea`, headers: { Authorization: authorization! } };
  await expectCalm({
    system: used.system,
    others: [...everyones, own],
    underway: 20,
    attack: (attacking) =>
      crowd(24, attacking, async (one) => {
        const answer = await fetch(base + paths[one % paths.length]!, { headers, signal: attacking.signal });
        await answer.arrayBuffer();
        attacking.count(String(answer.status));
        // A refused client comes again as soon as that can succeed, and sooner.
        await new Promise((resolve) => {
          setTimeout(resolve, answer.status === 429 ? 100 : 0);
        });
      }),
  });
});
