import { columnName } from '@cadastre/model';
import { wholeIndex } from '../../db/select.ts';
import type { Cause, Change } from '../context/change.ts';

/** An effect follows from the objects of several requests, and cannot be attributed to one of them. */
export class UnattributableEffect extends Error {
  override readonly name = 'UnattributableEffect';
}

/**
 * Says which request made each change, where several write together: an object that was created along with another, and
 * would be deleted with it, like the interfaces of a device, belongs to the request that created the other.
 * @throws UnattributableEffect when that is not known of all changes
 */
export function attributeEffects(changes: readonly Change[]): void {
  const causes = new Map<string, Cause>();
  let open: Change[] = [];
  for (const change of changes) {
    if (change.cause) causes.set(keyOf(change), change.cause);
    else if (!change.derived) open.push(change);
  }
  // A change that belongs to another effect is attributed once that one is.
  while (open.length) {
    const left = open.filter((change) => {
      const cause = causeOf(change, causes);
      if (cause) causes.set(keyOf(change), (change.cause = cause));
      return !cause;
    });
    if (left.length === open.length) throw new UnattributableEffect();
    open = left;
  }
}

const keyOf = ({ model, after, before }: Change): string => `${model.name}:${(after ?? before)![0]}`;

function causeOf({ action, model, after }: Change, causes: ReadonlyMap<string, Cause>): Cause | undefined {
  if (action !== 'created') return undefined;
  const index = wholeIndex(model);
  const found = new Set<Cause>();
  for (const [name, field] of Object.entries(model.fields)) {
    const { relation } = field;
    if (!relation || relation.many || relation.onDelete !== 'cascade') continue;
    const cause = causes.get(`${relation.to}:${after![index.get(columnName(name, field))!]}`);
    if (cause) found.add(cause);
  }
  return found.size === 1 ? [...found][0] : undefined;
}
