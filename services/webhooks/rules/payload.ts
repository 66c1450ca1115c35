import type { ChangeEvent } from '@cadastre/events';

/** What templates see and what is sent by default; the order of its keys is part of the contract. */
export function payload(
  event: ChangeEvent,
  actionData: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  const request = event.request;
  return {
    event: event.action,
    timestamp: event.time.replace(/Z$/, '+00:00'),
    object_type: event.objectType,
    username: request?.user ?? null,
    request_id: request?.id ?? null,
    data: actionData ? { ...actionData, ...event.data } : event.data,
    request: request && { id: request.id, method: request.method, path: request.path, user: request.user },
    snapshots: { prechange: event.prechange, postchange: event.postchange },
  };
}

/** What conditions see: the object, and its snapshots beside its attributes. */
export const subject = (event: ChangeEvent): Record<string, unknown> => ({
  ...event.data,
  snapshots: { prechange: event.prechange, postchange: event.postchange },
});
