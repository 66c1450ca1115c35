import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const END_OF_ROWS = '\\.';

/**
 * Restores plain SQL by `pg_dump`, compressed with gzip, into an empty database, without the client programs of
 * PostgreSQL, which the embedded one does not include.
 * @param url of the database, as superuser
 */
export async function restore(dump: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const lines = createInterface({
    input: createReadStream(dump).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  try {
    const rest = lines[Symbol.asyncIterator]();
    let statement = '';
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const line = next.value;
      if (statement === '' && /^COPY .* FROM stdin;$/.test(line)) {
        await pipeline(Readable.from(rowsIn(rest)), client.query(copyFrom(line)));
        continue;
      }
      // Comments, and commands for psql.
      if (statement === '' && /^(--|\\|\s*$)/.test(line)) continue;
      statement += `${line}\n`;
      if (!line.endsWith(';')) continue;
      await client.query(statement);
      statement = '';
    }
  } finally {
    lines.close();
    await client.end();
  }
}

async function* rowsIn(lines: NodeJS.AsyncIterator<string>): AsyncGenerator<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done || value === END_OF_ROWS) return;
    yield `${value}\n`;
  }
}
