import type { Named } from '@cadastre/rest';
import { keyOf } from '../../models/cabling/plant.ts';
import { cableStatus, cableType } from '../../models/choices/cable.ts';
import type { Shown } from '../visible.ts';
import type { PathDetails, KnownCable } from './pathDetails.ts';
import type { Box, Cable, Link, Outcome, Port, Scene } from './scene.ts';
import type { Segment, Traced } from './segments.ts';
import { endingOf, measured } from './words.ts';

/** How many ports are drawn where a path could go on in many ways. */
const WAYS_DRAWN = 8;

/** The objects that an end may belong to: the field of its brief form, and the type that the field refers to. */
const HOLDERS = [
  ['device', 'dcim.device'],
  ['circuit', 'circuits.circuit'],
] as const;

const nameOf = (object: Shown | undefined): string => String(object?.['name'] ?? object?.display ?? '');

const labelIn = (choices: readonly { value: string | number; label: string }[], value: string | null): string =>
  choices.find((choice) => choice.value === value)?.label ?? value ?? '';

/** The boxes of one level by key, with their ports on the path. */
type Held = Map<string, { holder: Named; above: Named[]; below: Named[] }>;

/** Makes a path into what is to be drawn of it. */
export function sceneOf(from: Named, { segments, active, complete, split }: Traced, what: PathDetails): Scene {
  const { say } = what.words;
  const levels: Held[] = segments.length ? [new Map(), ...segments.map((): Held => new Map())] : [new Map()];
  const holderOf = (end: Named): Named => {
    const brief = what.brief(end);
    const panel = end.type === 'dcim.powerfeed' ? what.panels.get(end.id) : undefined;
    if (panel !== undefined) return { type: 'dcim.powerpanel', id: panel };
    const [field, type] = HOLDERS.find(([name]) => brief?.[name]) ?? [];
    return field && type ? { type, id: (brief![field] as Shown).id } : end;
  };
  const hold = (level: Held, ends: readonly Named[], side: 'above' | 'below'): void => {
    for (const end of ends) {
      const holder = holderOf(end);
      const key = keyOf(holder);
      if (!level.has(key)) level.set(key, { holder, above: [], below: [] });
      if (holder !== end) level.get(key)![side].push(end);
    }
  };
  if (!segments.length) hold(levels[0]!, [from], 'below');
  segments.forEach(({ near, far }, i) => {
    hold(levels[i]!, near, 'below');
    hold(levels[i + 1]!, far, 'above');
  });
  const boxes = levels.map((level) =>
    [...level.values()].map(({ holder, above, below }) => boxOf(holder, above, below, what)),
  );
  const outcome: Outcome = complete ? (active ? 'complete' : 'inactive') : split ? 'split' : 'open';
  const ways = what.ways.slice(0, WAYS_DRAWN).map((port) => ({
    key: keyOf(port),
    name: nameOf(port),
    title: say('{name}: the path may go on here', { name: nameOf(port) }),
    href: what.href(port),
  }));
  const holder = what.brief(from)?.['device'] ?? what.brief(holderOf(from));
  return {
    title: say('Path from {name}', {
      name: [nameOf(holder as Shown | undefined), nameOf(what.brief(from))].filter(Boolean).join(' › '),
    }),
    levels: dropEmpty(boxes),
    links: segments.map((segment) => linksOf(segment, what)),
    ways,
    moreWays: what.ways.length - ways.length,
    outcome,
    summary: [say(segments.length ? endingOf(outcome) : 'Nothing is connected here'), lengthOf(segments, what)],
  };
}

/** A path that stops at a cable ends with an empty level. */
const dropEmpty = (levels: Box[][]): Box[][] =>
  levels.length > 1 && !levels.at(-1)!.length ? levels.slice(0, -1) : levels;

function boxOf(holder: Named, above: readonly Named[], below: readonly Named[], what: PathDetails): Box {
  const first = [...above, ...below][0];
  const detail = what.details.get(keyOf(holder));
  const ends = first && what.brief(first);
  const named =
    what.brief(holder) ?? (HOLDERS.map(([field]) => ends?.[field]).find(Boolean) as Shown | undefined) ?? detail;
  const about = (name: string): string => (detail?.[name] as Shown | null | undefined)?.display ?? '';
  const position =
    detail?.['position'] === null || detail?.['position'] === undefined ? '' : `U${Number(detail['position'])}`;
  const status = detail?.['status'] as { value: string; label: string } | undefined;
  const lines = [
    [about('device_type'), status && status.value !== 'active' ? what.words.choice(status.label) : '']
      .filter(Boolean)
      .join(' · '),
    [about('site'), about('location'), [about('rack'), position].filter(Boolean).join(' ')].filter(Boolean).join(' › '),
    (named?.['provider'] as Shown | undefined)?.display ?? '',
  ].filter(Boolean);
  return {
    key: keyOf(holder),
    kind: about('role') || what.label(holder.type),
    name: String(named?.['name'] ?? named?.display ?? ''),
    lines,
    href: what.href(holder),
    color: what.colors.get(holder.type === 'dcim.device' ? holder.id : 0) ?? null,
    above: above.map((end) => portOf(end, what)),
    below: below.map((end) => portOf(end, what)),
  };
}

function portOf(end: Named, what: PathDetails): Port {
  const brief = what.brief(end);
  const side = brief?.['term_side'];
  const name = typeof side === 'string' ? what.words.say('Side {side}', { side }) : nameOf(brief);
  return {
    key: keyOf(end),
    name,
    title: [name, what.label(end.type), brief?.['description']].filter(Boolean).join('\n'),
    href: what.href(end),
  };
}

/**
 * The cables of a segment with its ends that they are attached to; without cables, one link from all near ends to all
 * far ends.
 */
function linksOf({ near, cables, far }: Segment, what: PathDetails): Link[] {
  const at = (ends: readonly Named[], cable: KnownCable): string[] =>
    ends.map(keyOf).filter((key) => cable.ends.has(key));
  const laid = cables.flatMap(({ id }) => what.cables.get(id) ?? []);
  if (laid.length)
    return laid.map((cable) => ({ near: at(near, cable), far: at(far, cable), cable: cableOf(cable, what) }));
  return far.length ? [{ near: near.map(keyOf), far: far.map(keyOf), cable: null }] : [];
}

function cableOf({ id, label, type, status, color, length, unit, description }: KnownCable, what: PathDetails): Cable {
  const { say, choice } = what.words;
  const name = label || `#${id}`;
  const details = [
    choice(labelIn(cableType, type)),
    [length === null ? '' : `${length} ${unit ?? ''}`.trim(), choice(labelIn(cableStatus, status))]
      .filter(Boolean)
      .join(' · '),
  ].filter(Boolean);
  return {
    name,
    details,
    title: [say('Cable {name}', { name }), ...details, description].filter(Boolean).join('\n'),
    href: what.href({ type: 'dcim.cable', id }),
    color: color || null,
    status,
  };
}

function lengthOf(segments: readonly Segment[], { cables: all, words }: PathDetails): string {
  const cables = [...new Set(segments.flatMap((segment) => segment.cables.map(({ id }) => id)))].flatMap(
    (id) => all.get(id) ?? [],
  );
  return measured(
    {
      segments: segments.filter(({ far, cables: laid }) => far.length || laid.length).length,
      cables: cables.length,
      metres: cables.reduce((sum, { metres }) => sum + (metres ?? 0), 0),
      unmeasured: cables.filter(({ metres }) => metres === null).length,
    },
    words,
  );
}
