import { choices } from '@cadastre/model';

export const eventTypes = choices([
  ['object_created', 'Object created'],
  ['object_updated', 'Object updated'],
  ['object_deleted', 'Object deleted'],
  ['job_started', 'Job started'],
  ['job_completed', 'Job completed'],
  ['job_failed', 'Job failed'],
  ['job_errored', 'Job errored'],
  ['security_event', 'Security event'],
]);

export const actionTypes = choices([
  ['webhook', 'Webhook'],
  ['script', 'Script'],
  ['notification', 'Notification'],
]);

export const httpMethods = choices([
  ['GET', 'GET'],
  ['POST', 'POST'],
  ['PUT', 'PUT'],
  ['PATCH', 'PATCH'],
  ['DELETE', 'DELETE'],
]);
