import { HttpError } from '@cadastre/service/errors';
import { deliveryStatus } from '../../webhooks/models/webhookDelivery.ts';

/** What became of deliveries, in the words of the API. */
export interface Status {
  name: string;
  label: string;
  /** What can be done with all of them. */
  several: 'requeue' | 'cancel' | null;
  /** How many there are, by the answer about queues; null where that does not say. */
  counted: ((queue: Readonly<Record<string, number>>) => number) | null;
}

const more: Readonly<Record<string, Pick<Status, 'several' | 'counted'>>> = {
  pending: { several: 'cancel', counted: ({ jobs = 0, scheduled_jobs = 0 }) => jobs + scheduled_jobs },
  running: { several: 'cancel', counted: ({ started_jobs = 0 }) => started_jobs },
  succeeded: { several: null, counted: ({ finished_jobs = 0 }) => finished_jobs },
  failed: { several: 'requeue', counted: ({ failed_jobs = 0 }) => failed_jobs },
  cancelled: { several: 'requeue', counted: null },
};

export const statuses: readonly Status[] = deliveryStatus.map(({ value, label }) => ({
  name: String(value),
  label,
  several: null,
  counted: null,
  ...more[value],
}));

/** The status that an address or a form names; undefined for none. @throws HttpError 400 for a word that is none */
export function statusNamed(name: string | null): Status | undefined {
  if (!name) return undefined;
  const found = statuses.find((status) => status.name === name);
  if (!found)
    throw notOneOf(
      'status',
      name,
      statuses.map((status) => status.name),
    );
  return found;
}

/** What is said of a filter's value that there is not. */
export const notOneOf = (field: string, value: string, known: readonly string[]): HttpError =>
  new HttpError(400, { [field]: [`"${value}" is not one of ${known.join(', ')}.`] });

/** What can be done with one delivery. */
export const actionsOn = (status: string): ('requeue' | 'cancel')[] =>
  status === 'pending' || status === 'running' ? ['cancel'] : ['requeue'];
