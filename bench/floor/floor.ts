// The floor: what node:http and pg alone need to run the same statement and send its rows. Started by main.ts as a
// process of its own.
import { createServer } from 'node:http';
import pg from 'pg';
import { schedule } from '../../tools/local/supervisor/processes/scheduling.ts';

schedule('batch');
const { FLOOR_DATABASE_URL: url, FLOOR_STATEMENTS: statements } = process.env;
const pool = new pg.Pool({ connectionString: url, max: 6 });
const raw = { getTypeParser: () => (value: string) => value };
const byPath = JSON.parse(statements ?? '{}') as Record<string, { text: string; values: unknown[] }>;

createServer((request, response) => {
  const path = request.url ?? '';
  const statement = byPath[path];
  if (!statement) {
    response.writeHead(404).end();
    return;
  }
  pool.query({ name: path, rowMode: 'array', types: raw as never, ...statement }).then(
    ({ rows }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
    },
    (error: Error) => {
      response.writeHead(500).end(error.message);
    },
  );
}).listen(Number(process.env['FLOOR_PORT']), '127.0.0.1');
