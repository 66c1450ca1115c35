import type { EnvelopeContract, EventContract, JsonSchema, ObjectContract } from './events.ts';

/** What a neighbour that was built with the recorded events would miss or misread in the present ones, in words. */
export function brokenEvents(recorded: EventContract, present: EventContract): string[] {
  const problems: string[] = [];
  if (present.topic !== recorded.topic)
    problems.push(`The topic was ${recorded.topic} and is ${present.topic}: a neighbour follows one that stays empty.`);
  if (present.key !== recorded.key)
    problems.push(
      `The key of messages was ${recorded.key} and is ${present.key}: changes of one object may overtake each other.`,
    );
  for (const [type, before] of Object.entries(recorded.objects)) {
    const now = present.objects[type];
    if (!now) problems.push(`Events of ${type} are missing: a neighbour that follows it waits for nothing.`);
    else for (const part of ['row', 'data'] as const) problems.push(...brokenPart(type, part, before, now));
  }
  return problems;
}

function brokenPart(type: string, part: keyof ObjectContract, before: ObjectContract, now: ObjectContract): string[] {
  return Object.entries(before[part] ?? {}).flatMap(([name, kind]) => {
    const present = now[part]?.[name];
    if (present === kind) return [];
    const where = `${name} in the ${part} of ${type}`;
    return present === undefined
      ? [`${where} is missing: a neighbour that reads it finds nothing.`]
      : [`${where} was "${kind}" and is "${present}": a neighbour reads what it does not expect.`];
  });
}

/** The same for the members that all events share. */
export const brokenEnvelope = (recorded: EnvelopeContract, present: EnvelopeContract): string[] => [
  ...(recorded.text === present.text
    ? []
    : [`The text of events was ${recorded.text} and is ${present.text}: a neighbour parks what it cannot read.`]),
  ...brokenMembers(recorded.schema, present.schema),
];

/**
 * The same for the members of events: a neighbour of the last release validates the events of this one with its own
 * schema, and this one validates those of the last release, which wait in the log.
 */
export function brokenMembers(recorded: JsonSchema, present: JsonSchema, where = 'An event'): string[] {
  const before = objectOf(recorded);
  const now = objectOf(present);
  if (!before.properties || !now.properties)
    return same(recorded, present)
      ? []
      : [`${where} is something else than it was: ${words(recorded)}, now ${words(present)}.`];
  const problems = Object.entries(before.properties).flatMap(([name, schema]) => {
    const other = now.properties![name];
    const at = where === 'An event' ? name : `${where}.${name}`;
    return other ? brokenMembers(schema, other, at) : [`${at} is missing: a neighbour that reads it finds nothing.`];
  });
  const [had, has] = [new Set(before.required), new Set(now.required)];
  for (const name of had.difference(has))
    if (now.properties[name]) problems.push(`${name} may be left out: a neighbour parks events that lack it.`);
  for (const name of has.difference(had))
    problems.push(`${name} must be there: events of the last release, which lack it, would be parked.`);
  if (nullable(recorded) !== nullable(present))
    problems.push(`${where} ${nullable(present) ? 'may' : 'must not'} be null, which is news to a neighbour.`);
  return problems;
}

const objectOf = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ properties }) => properties) ?? schema;
const nullable = ({ anyOf = [] }: JsonSchema): boolean => anyOf.some(({ type }) => type === 'null');
const words = (schema: JsonSchema): string => JSON.stringify(schema);
const same = (one: JsonSchema, other: JsonSchema): boolean => words(one) === words(other);
