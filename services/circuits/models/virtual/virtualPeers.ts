/**
 * Which terminations of a virtual circuit reach each other: peers each other, hubs the spokes, spokes the hubs. SQL
 * over two aliased rows.
 */
export const reaches = (from: string, to: string): string =>
  `${to}.virtual_circuit_id = ${from}.virtual_circuit_id and ${to}.id <> ${from}.id and (${from}.role, ${to}.role) in (('peer', 'peer'), ('hub', 'spoke'), ('spoke', 'hub'))`;
