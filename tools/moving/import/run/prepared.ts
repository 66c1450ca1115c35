import type { Dict, Json } from '@cadastre/model';
import { isDict, type Model } from '@cadastre/model';
import type { Mapped } from '../mapping/mapping.ts';
import type { Source } from '../sources/source.ts';
import type { Waiting } from '../state/state.ts';
import type { Case, Kind } from '../state/tally.ts';

/** An object of the source, and how it is to be stored. */
export interface Step {
  /** Its id at the source, and at the target. */
  id: number;
  becomes: number;
  /** What is sent; undefined for an object that cannot be imported. */
  waiting?: Waiting;
  /** Whether it has to wait for its parent. */
  holds: boolean;
  told: [Kind, Case][];
}

interface Preparing {
  model: Model;
  objects: AsyncIterable<Dict>;
  map(shown: Dict): Mapped;
  source: Pick<Source, 'file'>;
  /** In a dry run, nothing is stored, so everything is sent at once. */
  dryRun: boolean;
  /** Whether the parent of an object in a tree has been sent. */
  isSent(parent: number): boolean;
}

/** Objects of the source as they are sent. */
export async function* prepared({ model, objects, map, source, dryRun, isSent }: Preparing): AsyncGenerator<Step> {
  const uploads = Object.entries(model.fields).filter(([, { upload }]) => upload);
  for await (const shown of objects) {
    const mapped = map(shown);
    for (const [name, field] of uploads) await attach(mapped, name, field.required, source);
    yield stepOf(mapped, dryRun, isSent);
  }
}

function stepOf(mapped: Mapped, dryRun: boolean, isSent: (parent: number) => boolean): Step {
  const { id, display, first, second, lost, missing, parent } = mapped;
  const about = (told: string): Case => ({ id, display, told });
  const step = { id, becomes: Number(first['id']), holds: false };
  if (missing !== undefined) return { ...step, told: [['missing', about(missing)]] };
  const told = lost.map(({ field, why }): [Kind, Case] => ['lost', about(`${field} ${why}`)]);
  const waiting = {
    id,
    becomes: step.becomes,
    display,
    first: JSON.stringify(dryRun ? { ...first, ...second } : first),
    ...(parent === undefined ? {} : { above: parent }),
    ...(second === undefined || dryRun ? {} : { second: JSON.stringify(second) }),
  };
  return { ...step, told, waiting, holds: !dryRun && parent !== undefined && !isSent(parent) };
}

/** Uploads the content of a file to its path. */
async function attach(mapped: Mapped, name: string, needed: boolean, source: Pick<Source, 'file'>): Promise<void> {
  const value: Json | undefined = mapped.first[name];
  if (!isDict(value)) return;
  const bytes = await source.file(String(value['path']));
  if (bytes) {
    mapped.first[name] = { ...value, base64: bytes.toString('base64') };
    return;
  }
  delete mapped.first[name];
  mapped.lost.push({ field: name, why: `is a file that is not there (${String(value['path'])})` });
  if (needed) mapped.missing ??= `${name}: its file is not there (${String(value['path'])})`;
}
