import { type Field, only, ref } from '@cadastre/model';

/** An address that stands for what has it; shown with the addresses that it is translated to and from. */
export const primaryAddress = (o: { unique?: boolean } = {}): Field =>
  ref('ipam.ipaddress', {
    ...o,
    optional: true,
    onDelete: 'setNull',
    form: only('family', 'address', 'nat_inside', 'nat_outside', 'dns_name', 'description'),
  });
