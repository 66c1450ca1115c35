// Obstacles to moving an interface to another virtual machine.
import type { Cell, Effect, Stored } from '@cadastre/model';

const TYPE = 'virtualization.vminterface';
const MACHINE = 'virtualization.virtualmachine';
const ADDRESS = 'ipam.ipaddress';

/** The most obstacles that a refusal names. */
const MOST_NAMED = 10;

const hasMoved = ({ action, before, after }: Stored): boolean =>
  action === 'updated' && before!['virtual_machine'] !== after!['virtual_machine'];

/**
 * An interface stays with its virtual machine while other interfaces refer to it, or one of its addresses is the
 * primary one of the machine.
 */
export const takesAllAlong: Effect = async (changes, { query, tableOf, displayOf, importing, refuse }) => {
  const moved = changes.filter(hasMoved);
  if (importing || !moved.length) return;
  const ids = moved.map(({ after }) => after!['id']);
  const built = await query(
    `select o.id, i.id, f.field from ${tableOf(TYPE)} o join ${tableOf(TYPE)} i on i.parent_id = o.id or i.bridge_id = o.id
      cross join lateral (values ('parent', i.parent_id), ('bridge', i.bridge_id)) f (field, other)
      where o.id = any($1::bigint[]) and f.other = o.id and i.virtual_machine_id <> o.virtual_machine_id order by o.id, i.id`,
    [ids],
  );
  const addressed = await query(
    `select i.id, v.id, f.address from ${tableOf(MACHINE)} v cross join lateral (values (v.primary_ip4_id), (v.primary_ip6_id)) f (address)
      join ${tableOf(ADDRESS)} a on a.id = f.address left join ${tableOf(ADDRESS)} n on n.id = a.nat_inside_id
      join ${tableOf(TYPE)} i on (a.assigned_object_type = $3 and a.assigned_object_id = i.id) or (n.assigned_object_type = $3 and n.assigned_object_id = i.id)
      where v.id = any($2::bigint[]) and i.id = any($1::bigint[]) and i.virtual_machine_id <> v.id order by i.id, v.id`,
    [ids, moved.map(({ before }) => before!['virtual_machine']), TYPE],
  );
  const builds = async ([, other, field]: Cell[]) =>
    `Interface ${await displayOf(TYPE, Number(other))} has this one as its ${field}, so both must belong to the same virtual machine.`;
  const stands = async ([, machine, address]: Cell[]) =>
    `Its address ${await displayOf(ADDRESS, Number(address))} is a primary address of ${await displayOf(MACHINE, Number(machine))}.`;
  for (const change of moved) {
    const own = ([id]: Cell[]) => Number(id) === change.after!['id'];
    const said = [...built.filter(own).map(builds), ...addressed.filter(own).map(stands)];
    if (said.length) refuse({ virtual_machine: await Promise.all(said.slice(0, MOST_NAMED)) }, change);
  }
};
