import { type Command, everything, printList, type Surroundings, UsageError } from './command.ts';

const PATH = '/api/core/parked-events/';

/** Events that services could not handle. */
export const parked: Command = {
  commands: ['parked list', 'parked show', 'parked replay', 'parked discard'],
  help: `  parked list [--service <service>]       events that services could not handle, and why
  parked show <service> <id>              one of them, whole
  parked replay <service> <id> | --all    handle it, or all of them (of --service), once more
  parked discard <service> <id>           forget it
`,
  async run([command, ...words], surroundings) {
    const { send, print, service, all } = surroundings;
    const list = () =>
      everything(`${PATH}?limit=1000${service ? `&service=${encodeURIComponent(service)}` : ''}`, surroundings);
    if (command === 'list') return printList((await list()).map(lineOf), 'There are no parked events.', print);
    if (command === 'show') return print(JSON.stringify(await send('GET', addressOf(words)), null, 2));
    if (command === 'discard') {
      await send('DELETE', addressOf(words));
      return print('Discarded.');
    }
    if (command === 'replay' && all) return replayAll(await list(), surroundings);
    if (command === 'replay') {
      await send('POST', `${addressOf(words)}replay/`);
      return print('Handled.');
    }
    throw new UsageError('parked: list, show, replay or discard.');
  },
};

function addressOf([service, id]: readonly string[]): string {
  if (!service || !id || !/^\d+$/.test(id)) throw new UsageError('Name the service and the number of the event.');
  return `${PATH}${encodeURIComponent(service)}/${id}/`;
}

const nameOf = ({ service, id }: Record<string, unknown>): string => `${String(service)} ${String(id)}`;
const lineOf = (event: Record<string, unknown>): string =>
  `${nameOf(event)}  ${String(event['parked'])}  ${String(event['group'])}  ${String(event['key'])}  ${String(event['error'])}`;

/** In their order; one that fails again stays, and does not stop the others. */
async function replayAll(events: readonly Record<string, unknown>[], { send, print }: Surroundings): Promise<void> {
  let failed = 0;
  if (events.length === 0) print('There are no parked events.');
  for (const event of events) {
    await send('POST', `${addressOf([String(event['service']), String(event['id'])])}replay/`).then(
      () => print(`${nameOf(event)}  handled`),
      (error: Error) => {
        failed += 1;
        print(`${nameOf(event)}  ${error.message}`);
      },
    );
  }
  if (failed) throw new Error(`${failed} of ${events.length} could not be handled.`);
}
