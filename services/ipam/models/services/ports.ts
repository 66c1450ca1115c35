import { type Cell, type Field, integer, list, type Rule } from '@cadastre/model';
import { serviceProtocol } from '../choices.ts';

const port = integer({ min: 1, max: 65_535 });

/** Port numbers, and the lowest of them, by which services are sorted. */
export const ports = (): Record<string, Field> => ({
  ports: list({
    element: 'integer',
    item: port.parse!,
    lookups: null,
    print: (text) => text,
    itemSchema: { type: 'integer', minimum: 1, maximum: 65_535 },
    child: { type: 'integer', required: true, read_only: false, min_value: 1, max_value: 65_535 },
  }),
  ports_lowest: integer({ optional: true, readOnly: true, hidden: true, filter: false }),
});

/** A service listens somewhere, by some protocol. */
export const listensSomewhere: Rule = (service) => {
  const numbers = service['ports'] as number[];
  service['ports_lowest'] = numbers.length ? Math.min(...numbers) : null;
  const blank = ['This field cannot be blank.'];
  return { ...(service['protocol'] ? {} : { protocol: blank }), ...(numbers.length ? {} : { ports: blank }) };
};

/** Ports as people write them: `80-82, 443`. */
export function portsText(numbers: number[]): string {
  const runs: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

const labels = new Map(serviceProtocol.map(({ value, label }) => [value, label]));

/** What a service is called: `HTTP (TCP/80)`. */
export const listening = {
  columns: ['name', 'protocol', 'ports'],
  text: ([name, protocol, cell]: Cell[]): string =>
    `${name} (${labels.get(protocol!) ?? protocol}/${portsText((cell ?? '{}').slice(1, -1).split(',').filter(Boolean).map(Number))})`,
};
