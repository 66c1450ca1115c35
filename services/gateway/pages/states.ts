/** How people look at deliveries: a word, and what it means to the API. */
export interface State {
  name: string;
  label: string;
  /** The filters of the list. */
  filters(now: string): Record<string, string>;
  /** What can be done with all of them. */
  several: 'requeue' | 'cancel' | null;
  /** Its count in the answer about queues. */
  counted: string | null;
}

export const states: readonly State[] = [
  { name: 'queued', label: 'Queued', filters: (now) => ({ status: 'pending', scheduled__lte: now }), several: 'cancel', counted: 'jobs' },
  { name: 'running', label: 'Running', filters: () => ({ status: 'running' }), several: 'cancel', counted: 'started_jobs' },
  { name: 'scheduled', label: 'Scheduled', filters: (now) => ({ status: 'pending', scheduled__gt: now }), several: 'cancel', counted: 'scheduled_jobs' },
  { name: 'finished', label: 'Finished', filters: () => ({ status: 'succeeded' }), several: null, counted: 'finished_jobs' },
  { name: 'failed', label: 'Failed', filters: () => ({ status: 'failed' }), several: 'requeue', counted: 'failed_jobs' },
  { name: 'cancelled', label: 'Cancelled', filters: () => ({ status: 'cancelled' }), several: 'requeue', counted: null },
];

export const stateNamed = (name: string | null): State | undefined => states.find((state) => state.name === name);

/** What can be done with one delivery. */
export const actionsOn = (status: string): ('requeue' | 'cancel')[] => (status === 'pending' || status === 'running' ? ['cancel'] : ['requeue']);
