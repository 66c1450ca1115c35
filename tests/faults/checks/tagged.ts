import { type Complaint, rowsOf, type World } from './world.ts';

/** The list of tagged objects names every object that carries a tag, once for each, and no other. */
export function checkTagged(world: World): Complaint[] {
  const carried = new Set<string>();
  for (const model of world.catalogue.models.values()) {
    if (!model.features.has('tags')) continue;
    for (const row of rowsOf(world, model.name).values())
      for (const tag of (row['tags'] ?? []) as number[]) carried.add(`${model.name} ${row.id} with tag ${tag}`);
  }
  const complaints: Complaint[] = [];
  const listed = new Set<string>();
  for (const row of rowsOf(world, 'extras.taggeditem').values()) {
    const one = `${String(row['object_type'])} ${String(row['object_id'])} with tag ${String(row['tag_id'])}`;
    if (listed.has(one)) complaints.push(`${one} is listed twice`);
    listed.add(one);
    if (!carried.has(one)) complaints.push(`${one} is listed, and is not so`);
  }
  for (const one of carried) if (!listed.has(one)) complaints.push(`${one} is not listed`);
  return complaints;
}
