import { type ChangeEvent, type EventLog, topicOf } from '@cadastre/events';

/** How far this service is behind the others, measured by the log and by the events that it has followed. */
export interface LagMeter {
  /** Notes events that have just been followed. Returns how long ago each of them happened, in seconds. */
  applied(events: readonly ChangeEvent[], services: readonly string[]): number[];
  /**
   * Seconds by service: 0 if no events wait, otherwise the time since the last followed event happened (or since the
   * last moment without waiting events, if that is later).
   */
  measure(): Promise<Map<string, number>>;
}

/** @param services those that the consumer group `group` follows */
export function lagMeter({
  group,
  services,
  events,
  now = Date.now,
}: {
  group: string;
  services: readonly string[];
  events: Pick<EventLog, 'mark'>;
  now?: () => number;
}): LagMeter {
  const began = now();
  const last = new Map<string, number>(services.map((service) => [service, began]));
  const note = (service: string, time: number) => last.set(service, Math.max(last.get(service) ?? began, time));
  const handled = async (some: readonly string[]) => (await events.mark(group, some.map(topicOf)))();
  return {
    applied(batch, from) {
      const at = now();
      return batch.map((event, i) => {
        const time = Date.parse(event.time);
        note(from[i]!, time);
        return Math.max(0, at - time) / 1000;
      });
    },
    async measure() {
      const at = now();
      // Usually no events wait, which a single check for all services shows.
      if (await handled(services)) for (const service of services) note(service, at);
      else for (const service of services) if (await handled([service])) note(service, at);
      return new Map(
        services.map((service) => [service, last.get(service)! >= at ? 0 : (at - last.get(service)!) / 1000]),
      );
    },
  };
}
