// Walks through a running installation as the README does: a token, a webhook, an event rule, a site, and the delivery
// arrives. Needs only Node.js 20.  node tools/deploy/walk.mjs --help
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { parseArgs } from 'node:util';

const help = `node tools/deploy/walk.mjs [BASE] [options]

Provisions a token, creates a webhook, an event rule and sites, and waits for the deliveries at a receiver of its own. Removes
what it created. Ends with 0 when everything came as it should.

  BASE                  default http://localhost:8000
  --user, --password    default: the variables SUPERUSER_NAME and SUPERUSER_PASSWORD
  --receiver HOST       the name of this machine for the installation; default host.docker.internal
  --port PORT           of the receiver; default: any free one
  --wait SECONDS        how long the installation may take to come up, and then the first delivery; default 60
`;
const {
  values: options,
  positionals: [base = 'http://localhost:8000'],
} = parseArgs({
  allowPositionals: true,
  options: {
    user: { type: 'string', default: process.env.SUPERUSER_NAME || 'admin' },
    password: { type: 'string', default: process.env.SUPERUSER_PASSWORD },
    receiver: { type: 'string', default: 'host.docker.internal' },
    port: { type: 'string', default: '0' },
    wait: { type: 'string', default: '60' },
    help: { type: 'boolean' },
  },
});
function refuse(why) {
  process.stderr.write(`${why}\n\n${help}`);
  process.exit(2);
}
if (options.help) {
  process.stdout.write(help);
  process.exit(0);
}
const waitMs = Number(options.wait) * 1000;
if (!options.password) refuse('A password is needed.');
if (!(waitMs > 0)) refuse('--wait takes a number of seconds.');

const sites = 20;
/** How often they are made at most until no delivery is late. */
const rounds = 3;
const deliveryLimitMs = 1_000;
const run = `walk-${Date.now().toString(36)}`;
const say = (text) => process.stdout.write(`${text}\n`);
const sleep = (ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function check(condition, message, detail) {
  if (condition) return;
  throw new Error(detail === undefined ? message : `${message}: ${JSON.stringify(detail)}`);
}

async function call(method, path, body, token, timeoutMs = 30_000) {
  const headers = {
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token ? { Authorization: token } : {}),
  };
  const response = await fetch(path.startsWith('http') ? path : base + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Collects the requests of webhooks. */
async function startReceiver(port) {
  const received = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (chunk) => {
        body += chunk;
      })
      .on('end', () => {
        received.push({ at: performance.now(), headers: request.headers, path: request.url, body: JSON.parse(body) });
        response.end();
      });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '0.0.0.0', resolve);
  });
  return {
    received,
    port: server.address().port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function untilUp() {
  const end = performance.now() + waitMs;
  for (;;) {
    // Short, as fetch of Node.js 20 may wait for ever on a connection that is reset while it is being made.
    const status = await call('GET', '/api/status/', undefined, undefined, 2_000).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 0 && status < 500) return;
    check(performance.now() < end, `${base} did not come up within ${waitMs / 1000} s`);
    await sleep(250);
  }
}

async function untilHere(find, limitMs, what) {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = find();
    if (found) return found;
    check(performance.now() < end, `${what} did not arrive within ${limitMs / 1000} s`);
    await sleep(2);
  }
}

async function walk(receiver, created) {
  const provisioned = await call('POST', '/api/users/tokens/provision/', {
    username: options.user,
    password: options.password,
  });
  check(provisioned.status === 201, 'no token', provisioned.body);
  const { version, key, token: plaintext } = provisioned.body;
  const token = version === 1 ? `Token ${plaintext}` : `Bearer svc_${key}.${plaintext}`;
  const post = async (path, body, kept = true) => {
    const answer = await call('POST', path, body, token);
    check(answer.status === 201, `POST ${path}`, answer.body);
    if (kept) created.unshift({ path: `${path}${answer.body.id}/`, token });
    return answer.body;
  };
  created.unshift({ path: `/api/users/tokens/${provisioned.body.id}/`, token });
  say(`token: version ${version}, ${key ?? ''}`);

  const webhook = await post('/api/extras/webhooks/', {
    name: run,
    payload_url: `http://${options.receiver}:${receiver.port}/${run}`,
    http_method: 'POST',
  });
  const rule = await post('/api/extras/event-rules/', {
    name: run,
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: webhook.id,
  });
  say(`webhook ${webhook.id} to ${webhook.payload_url}, event rule ${rule.id}`);

  let made = 0;
  for (let round = 1; ; round += 1) {
    const slowest = await deliverSites(made);
    made += sites;
    if (slowest <= deliveryLimitMs) break;
    // A busy machine may be slow at times, but nothing makes it faster than it is.
    check(round < rounds, `deliveries took longer than ${deliveryLimitMs} ms, ${rounds} times`);
  }

  /**
   * Creates sites one by one and waits for the delivery of each; returns how long the slowest took, in milliseconds.
   */
  async function deliverSites(before) {
    const times = [];
    for (let index = 0; index < sites; index += 1) {
      const number = before + index;
      const site = await post('/api/dcim/sites/', { name: `${run} ${number}`, slug: `${run}-${number}` });
      const answered = performance.now();
      // The first one may meet an installation that is still starting: Kafka answers well before its groups can be
      // joined.
      const delivery = await untilHere(
        () => receiver.received.find(({ body }) => body.data?.id === site.id),
        number === 0 ? waitMs : 5_000,
        `the delivery of site ${site.id}`,
      );
      times.push(Math.max(delivery.at - answered, 0));
      const { body } = delivery;
      check(
        body.event === 'created' && delivery.path === `/${run}` && body.data.name === site.name,
        'a wrong delivery',
        body,
      );
      check(body.username === options.user || body.request?.user === options.user, 'a delivery without the user', body);
    }
    const sorted = times.toSorted((a, b) => a - b);
    say(
      `${sites} sites, each delivered: first ${times[0].toFixed(0)} ms after the response, median ${sorted[sites >> 1].toFixed(0)} ms, slowest ${sorted.at(-1).toFixed(0)} ms`,
    );
    return sorted.at(-1);
  }

  const found = await call('GET', `/api/dcim/sites/?slug__isw=${run}&limit=1`, undefined, token);
  check(found.status === 200 && found.body.count === made, 'the sites are not all there', found.body);
  const records = await recordsOf(token, made);
  check(records === made, `${records} change records instead of ${made}`);
}

/** The change log follows the events of all services, so it may lag a moment behind. */
async function recordsOf(token, wanted) {
  let count = 0;
  for (let tries = 0; tries < 40 && count < wanted; tries += 1) {
    count = (
      await call(
        'GET',
        `/api/core/object-changes/?object_repr__isw=${encodeURIComponent(run)}&changed_object_type=dcim.site&limit=1`,
        undefined,
        token,
      )
    ).body.count;
    if (count < wanted) await sleep(250);
  }
  return count;
}

const receiver = await startReceiver(Number(options.port));
const created = [];
let code = 0;
try {
  const began = performance.now();
  await untilUp();
  say(
    `${base} answers after ${((performance.now() - began) / 1000).toFixed(1)} s; receiver on port ${receiver.port} of ${Object.values(
      networkInterfaces(),
    )
      .flat()
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address)
      .join(', ')}`,
  );
  await walk(receiver, created);
  say('ok');
} catch (error) {
  process.stderr.write(`${error.cause?.message ? `${error.message}: ${error.cause.message}` : error.message}\n`);
  code = 1;
} finally {
  for (const { path, token } of created) {
    const { status } = await call('DELETE', path, undefined, token).catch((error) => ({ status: error.message }));
    if (status !== 204) say(`DELETE ${path}: ${status}`);
  }
  receiver.close();
}
process.exit(code);
