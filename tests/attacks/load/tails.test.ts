import { expect, test } from '@jest/globals';
import { deliveries } from '../../support/webhooks/hooks.ts';
import { useSystem } from '../../support/system.ts';
import { listen } from '../../support/webhooks/tail.ts';
import { userWith } from '../../support/users.ts';
import { crowd, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const view = {
  types: ['dcim.site', 'dcim.device', 'ipam.prefix', 'extras.tag', 'extras.webhookdelivery'],
  actions: ['view'],
};

test('tails that are opened again and again, and never read, are nothing to others, who keep one of their own', async () => {
  const { client: attacker } = await userWith(used.admin, view);
  const { client: other } = await userWith(used.admin, view);
  const headers = { Authorization: attacker.authorization! };
  const own = await listen(other, '?id=0');
  try {
    expect(own.status).toBe(200);
    await expectCalm({
      system: used.system,
      others: [
        ...everyday(other),
        { url: `${other.base}${deliveries}?limit=5`, headers: { Authorization: other.authorization! } },
      ],
      underway: 40,
      attack: (attacking) =>
        crowd(40, attacking, async () => {
          const leaving = new AbortController();
          const signal = AbortSignal.any([attacking.signal, leaving.signal]);
          const answer = await fetch(`${attacker.base}${deliveries}tail/`, { headers, signal });
          attacking.count(String(answer.status));
          // Some stay, without reading; the others come again.
          await new Promise((resolve) => {
            setTimeout(resolve, answer.status === 200 ? 2_000 : 50);
          });
          leaving.abort();
        }),
    });
    expect(own.endedAt).toBeUndefined();
  } finally {
    own.close();
  }
});
