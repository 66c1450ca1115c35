import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@cadastre/model';
import type { Dice } from './dice.ts';
import type { Body, History, Outcome, Write } from './history.ts';
import { type Around, type Kind, kinds } from './kinds.ts';

/** How long to wait for an answer. */
const PATIENCE_MS = 30_000;
/** How long a client pauses after a write that failed. */
const PAUSE_MS = 150;
/** The most objects of one bulk write. */
const BULK = 5;

export interface ClientOptions {
  number: number;
  dice: Dice;
  history: History;
  base: string;
  token: string;
  /** Numbers that no other object of the installation has. */
  serial(): number;
  /** The prefix of all names of the run. */
  prefix: string;
  stopped: AbortSignal;
}

interface Own {
  kind: Kind;
  id: number;
}
interface Asked {
  action: Write['action'];
  kind: Kind;
  bodies: Body[];
  ids: number[];
}
interface Answered {
  outcome: Outcome;
  said: string;
  ids: number[];
  status: number;
}

/**
 * Writes one thing after another until it is stopped: it creates, changes and deletes objects of its own, which refer
 * to those of all clients.
 */
export async function runClient(options: ClientOptions): Promise<void> {
  const writer = new Writer(options);
  while (!options.stopped.aborted) await writer.step();
}

/**
 * How often creating an object is tried, with new random values each time: some are refused as duplicates, or because
 * the objects that they refer to do not fit together.
 */
const TRIES = 50;

/** Creates one object of a kind before any faults. @throws Error when it cannot be created */
export async function makeOne(options: ClientOptions, kind: Kind): Promise<void> {
  const writer = new Writer(options);
  let said = '';
  for (let i = 0; i < TRIES; i++) {
    const answered = await writer.create(kind, 1);
    if (answered.outcome === 'done') return;
    said = answered.said;
  }
  throw new Error(`${kind.type} could not be made: ${said}`);
}

class Writer {
  readonly #o: ClientOptions;
  #own: Own[] = [];
  constructor(options: ClientOptions) {
    this.#o = options;
  }

  async step(): Promise<void> {
    const { dice } = this.#o;
    const bulk = dice.chance(0.3) ? 2 + dice.below(BULK - 1) : 1;
    const action = dice.weighted([
      ['created', 5],
      ['updated', 4],
      ['deleted', 2.5],
    ] as const);
    const answered =
      action === 'created'
        ? await this.#createSome(bulk)
        : action === 'updated'
          ? await this.#update(bulk)
          : await this.#remove(bulk);
    if (answered?.outcome === 'unknown' || answered?.status === 503) await sleep(PAUSE_MS);
  }

  #createSome(bulk: number): Promise<Answered> | undefined {
    const { dice, history } = this.#o;
    const kind = dice.weighted(kinds.map((one) => [one, one.weight] as const));
    return kind.needs.every((type) => history.objects(type).length) ? this.create(kind, bulk) : undefined;
  }

  async create(kind: Kind, bulk: number): Promise<Answered> {
    const bodies = Array.from({ length: bulk }, () => kind.make(this.#around()));
    const answered = await this.#ask({ action: 'created', kind, bodies, ids: [] });
    this.#own.push(...answered.ids.map((id) => ({ kind, id })));
    return answered;
  }

  async #update(bulk: number): Promise<Answered | undefined> {
    const chosen = this.#chooseOwn(bulk, (kind) => kind.change !== undefined);
    if (!chosen.length) return undefined;
    const kind = chosen[0]!.kind;
    const answered = await this.#ask({
      action: 'updated',
      kind,
      bodies: chosen.map(() => kind.change!(this.#around())),
      ids: chosen.map(({ id }) => id),
    });
    // What does not exist any more was deleted with another object.
    if (answered.status === 404) this.#forget(chosen);
    return answered;
  }

  async #remove(bulk: number): Promise<Answered | undefined> {
    const chosen = this.#chooseOwn(bulk, () => true);
    if (!chosen.length) return undefined;
    const kind = chosen[0]!.kind;
    const ids = chosen.map(({ id }) => id);
    this.#o.history.leave(kind.type, ids);
    const answered = await this.#ask({ action: 'deleted', kind, bodies: ids.map(() => ({})), ids });
    if (answered.outcome !== 'refused' || answered.status === 404) this.#forget(chosen);
    return answered;
  }

  #chooseOwn(bulk: number, fits: (kind: Kind) => boolean): Own[] {
    const { dice } = this.#o;
    const candidates = this.#own.filter(({ kind }) => fits(kind));
    if (!candidates.length) return [];
    const { kind } = dice.choose(candidates);
    const alike = candidates.filter((one) => one.kind === kind);
    const chosen = new Set<Own>();
    for (let tries = 0; tries < bulk; tries++) chosen.add(dice.choose(alike));
    return [...chosen];
  }

  #forget(gone: readonly Own[]): void {
    this.#own = this.#own.filter((one) => !gone.includes(one));
  }

  #around(): Around {
    const { dice, history, prefix, serial } = this.#o;
    const n = serial();
    return {
      dice,
      serial: n,
      name: `${prefix}-${n}`,
      some: (type) => {
        const all = history.objects(type);
        return all.length ? dice.choose(all) : undefined;
      },
    };
  }

  async #ask({ action, kind, bodies, ids }: Asked): Promise<Answered> {
    const { history, number: client, prefix, serial } = this.#o;
    const n = serial();
    const token = `${prefix} write ${n}`;
    const sent = bodies.map(
      (body, i): Body => ({ ...(ids[i] === undefined ? {} : { id: ids[i] }), ...body, changelog_message: token }),
    );
    const single = sent.length === 1;
    const method = { created: 'POST', updated: 'PATCH', deleted: 'DELETE' }[action];
    const path = single && ids.length ? `${kind.path}${ids[0]}/` : kind.path;
    const answered = await this.#send(method, path, single ? without(sent[0]!, ids.length ? 'id' : undefined) : sent);
    history.add({
      n,
      client,
      action,
      type: kind.type,
      token,
      bodies,
      ids: action === 'created' ? answered.ids : ids,
      outcome: answered.outcome,
      said: answered.said,
    });
    return answered;
  }

  async #send(method: string, path: string, body: Json): Promise<Answered> {
    const { base, token } = this.#o;
    try {
      const response = await fetch(base + path, {
        method,
        body: JSON.stringify(body),
        headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      return {
        outcome: outcomeOf(response.status, text),
        said: `${response.status} ${text.slice(0, 300)}`,
        ids: method === 'POST' && response.status === 201 ? idsIn(text) : [],
        status: response.status,
      };
    } catch (error) {
      return { outcome: 'unknown', said: String((error as Error).cause ?? error), ids: [], status: 0 };
    }
  }
}

function outcomeOf(status: number, text: string): Outcome {
  if (status >= 200 && status < 300) return 'done';
  // An answer that says so must be right.
  if ((status >= 400 && status < 500) || (status === 503 && text.includes('Nothing was changed'))) return 'refused';
  return 'unknown';
}

function idsIn(text: string): number[] {
  const answer = JSON.parse(text) as { id: number } | { id: number }[];
  return (Array.isArray(answer) ? answer : [answer]).map(({ id }) => id);
}

function without(body: Body, name: string | undefined): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}
