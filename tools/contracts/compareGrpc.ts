import type { GrpcContract, Message } from './grpc.ts';

const REPEATED = 'repeated ';

/**
 * What a neighbour that was built with a recorded contract would miss or misread, in words. The names of messages do
 * not matter on the wire, so only their contents are compared.
 */
export function brokenCalls(recorded: GrpcContract, present: GrpcContract): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();

  const compareTypes = (where: string, before: string, now: string): void => {
    const [one, other] = [before, now].map((type) => type.replace(REPEATED, ''));
    const isMessage = recorded.messages[one!] !== undefined;
    const alike =
      before.startsWith(REPEATED) === now.startsWith(REPEATED) &&
      (isMessage ? present.messages[other!] !== undefined : one === other);
    if (!alike)
      problems.push(`${where} was ${before} and is ${now}: what a neighbour sends or reads there is misread.`);
    else if (isMessage) compareMessages(one!, other!);
  };

  const compareMessages = (before: string, now: string): void => {
    const pair = `${before} ${now}`;
    if (seen.has(pair)) return;
    seen.add(pair);
    for (const [name, { number, type }] of Object.entries(recorded.messages[before]!)) {
      const where = `The field ${name} of ${before}`;
      const field = present.messages[now]![name];
      const other = nameOf(present.messages[now]!, number);
      if (!field)
        problems.push(
          other
            ? `${where} has the number ${number}, which ${other} has now: a neighbour takes the one for the other.`
            : `${where} is missing: a neighbour that sends it is not heard, and one that reads it finds nothing.`,
        );
      else if (field.number !== number)
        problems.push(
          `${where} had the number ${number} and has ${field.number}: a neighbour looks in the wrong place.`,
        );
      else compareTypes(where, type, field.type);
    }
  };

  for (const [name, before] of Object.entries(recorded.methods)) {
    const now = present.methods[name];
    if (!now) problems.push(`The method ${name} is missing: a neighbour that calls it gets UNIMPLEMENTED.`);
    else if (before.stream !== now.stream)
      problems.push(
        `The method ${name} answers ${now.stream ? 'with a stream' : 'once'} now: a neighbour fails to read it.`,
      );
    else {
      compareMessages(before.request, now.request);
      compareMessages(before.response, now.response);
    }
  }
  return problems;
}

const nameOf = (message: Message, number: number): string | undefined =>
  Object.keys(message).find((name) => message[name]!.number === number);
