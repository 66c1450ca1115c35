import { type Effect, hostOf } from '@cadastre/model';

const GROUP = 'ipam.fhrpgroup';

/** The display of a group contains its first address: keeps that address with the group. */
export const nameGroups: Effect = async (changes, { query, tableOf, derive }) => {
  const groups = new Set(
    changes.flatMap(({ before, after }) =>
      [before, after].flatMap((at) =>
        at?.['assigned_object_type'] === GROUP ? [Number(at['assigned_object_id'])] : [],
      ),
    ),
  );
  if (!groups.size) return;
  const rows = await query(
    `select g.id, a.address from ${tableOf(GROUP)} g left join lateral (
      select address from ${tableOf('ipam.ipaddress')} t where t.assigned_object_type = $2 and t.assigned_object_id = g.id order by ${hostOf('t', 'address')}, id limit 1) a on true
    where g.id = any($1::bigint[]) and a.address is distinct from g.first_address`,
    [[...groups], GROUP],
  );
  await derive(
    GROUP,
    rows.map(([id, first_address]) => ({ id: Number(id), first_address: first_address! })),
  );
};
