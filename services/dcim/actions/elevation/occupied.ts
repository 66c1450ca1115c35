import { readQuery } from '@cadastre/body';
import {
  type ActionHandler,
  allowed,
  arrayOf,
  type Engine,
  invalid,
  notPermitted,
  parameter,
  recordOf,
} from '@cadastre/rest';
import { rack } from '../../models/racks/rack.ts';
import { visible } from '../visible.ts';
import type { Face } from './parameters.ts';
import { standingIn } from './standing.ts';
import { onFace, type Standing } from './units.ts';

const METHODS = 'GET, HEAD, OPTIONS';

/** The most racks that one request may ask about. */
const MOST = 100;

const halves: { type: 'array'; items: object } = { type: 'array', items: { type: 'number' } };

/**
 * GET /api/dcim/racks/occupied-units/?id=1&id=2: the occupied half units of racks, including those taken by devices
 * that the requester may not see. An elevation gives the same for one rack.
 */
export const occupied = (engine: Engine): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'Get the half units of several racks that are taken',
      parameters: [parameter('id', { type: 'array', items: { type: 'integer' } }, `Ids of racks, at most ${MOST}.`)],
      answer: recordOf({ results: arrayOf(recordOf({ id: { type: 'integer' }, front: halves, rear: halves })) }),
    },
  },
  async handle(request) {
    const given = readQuery(request.search, engine.settings.maxParameters).getAll('id');
    if (!given.every((id) => /^\d{1,15}$/.test(id))) throw invalid({ id: ['Enter a whole number.'] });
    if (given.length > MOST) throw invalid({ id: [`At most ${MOST} racks can be asked about at once.`] });
    if (allowed(request.who.grants, 'view', rack.name) === false) throw notPermitted(request.who);
    const asked = given.map((id) => `id=${id}`).join('&');
    const racks = asked ? await visible(engine, rack, `${asked}&fields=id`, request) : [];
    const standing = await standingIn(
      engine,
      racks.map(({ id }) => id),
    );
    const results = [...standing].map(([id, all]) => ({
      id,
      front: takenOn(all, 'front'),
      rear: takenOn(all, 'rear'),
    }));
    return { status: 200, headers: { Allow: METHODS }, body: JSON.stringify({ results }) };
  },
});

/** The half units of a face that something takes up, from the lowest on. */
const takenOn = (all: readonly Standing[], face: Face): number[] =>
  onFace(all, face)
    .flatMap(({ position, height }) => Array.from({ length: Math.round(height * 2) }, (_, i) => position + i / 2))
    .toSorted((a, b) => a - b);
