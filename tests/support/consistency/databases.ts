import pg from 'pg';
import type { Body } from '../client.ts';
import type { System } from '../system.ts';

/** The services' own databases of a system, which tests look into and damage. */
export class Databases {
  readonly #used: { readonly system: System };
  readonly #pools = new Map<string, pg.Pool>();

  constructor(used: { readonly system: System }) {
    this.#used = used;
  }

  /** Rows of a service's database. */
  readonly sql = async (service: string, text: string, values: unknown[] = []): Promise<Body[]> => {
    let pool = this.#pools.get(service);
    if (!pool) {
      const url = new URL(this.#used.system.postgres);
      url.pathname = `/cadastre_${service}`;
      this.#pools.set(service, (pool = new pg.Pool({ connectionString: url.href, max: 1 })));
      pool.on('error', () => undefined);
    }
    return (await pool.query(text, values)).rows;
  };

  async end(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}
