import { type ChangeEvent, isTold, partText } from '@cadastre/events';
import type { Catalogue } from '@cadastre/model';

/** Whether a change is worth a record: of a kind of object that keeps them, and one that changed something. */
export function isRecorded(catalogue: Catalogue, event: ChangeEvent): boolean {
  if (
    !isTold(event) ||
    !catalogue.has(event.objectType) ||
    !catalogue.get(event.objectType).features.has('changeLogging')
  )
    return false;
  return event.action !== 'updated' || partText(event, 'prechange') !== partText(event, 'postchange');
}
