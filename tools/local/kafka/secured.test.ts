import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKafkaLog } from '@cadastre/events/kafka';
import { loadConfig } from '@cadastre/service/config';
import { kafkaOptions } from '@cadastre/service/models/kafkaOptions';
import { freePorts } from '../processes/free-ports.ts';
import { certificateFile } from '../../testing/certificates/index.ts';
import { type RunningKafka, startKafka } from './broker.ts';

// Like broker.test.ts, as it starts a broker of its own.
const wanted = process.env.KAFKA_BROKERS ? describe : describe.skip;

const USERNAME = 'cadastre';
const PASSWORD = 'its own password';
const ca = certificateFile('ca.pem');
const own = { KAFKA_TLS_CERT_FILE: certificateFile('server.pem'), KAFKA_TLS_KEY_FILE: certificateFile('server.key') };
const login = (mechanism: string, password = PASSWORD) => ({
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: USERNAME,
  KAFKA_SASL_PASSWORD: password,
});

wanted('a broker to which clients must prove themselves, with the settings of a service', () => {
  let dataDir: string;
  let kafka: RunningKafka;
  let saslPort: number;
  let tlsPort: number;
  const said: string[] = [];
  const logOf = (port: number, env: Record<string, string>) =>
    createKafkaLog({
      ...kafkaOptions('dcim', loadConfig({ KAFKA_BROKERS: `127.0.0.1:${port}`, KAFKA_TLS: 'true', ...env })),
      onLog: (_level, message, detail) => said.push(`${message} ${JSON.stringify(detail)}`),
    });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kafka-secured-'));
    const [one = 0, two = 0] = await freePorts(2);
    const certificate = join(dataDir, 'broker.pem');
    [saslPort, tlsPort] = [one, two];
    await writeFile(
      certificate,
      `${await readFile(own.KAFKA_TLS_KEY_FILE, 'utf8')}${await readFile(own.KAFKA_TLS_CERT_FILE, 'utf8')}`,
    );
    kafka = await startKafka({
      dataDir,
      secured: { saslPort, tlsPort, certificate, authority: ca, username: USERNAME, password: PASSWORD },
    });
  });
  afterAll(async () => {
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sends a message and reads it back. */
  async function roundTrip(port: number, env: Record<string, string>): Promise<string> {
    const log = logOf(port, env);
    const topic = `t-${randomUUID()}`;
    const heard = Promise.withResolvers<string>();
    try {
      await log.publish(topic, [{ key: 'k', value: 'there and back' }]);
      await log.consume({
        topics: [topic],
        group: `g-${randomUUID()}`,
        handler: async ([message]) => heard.resolve(message!.value),
      });
      return await heard.promise;
    } finally {
      await log.close();
    }
  }
  /** The error of a service about a broker that does not accept it, or that it does not trust. */
  async function refused(port: number, env: Record<string, string>): Promise<string> {
    const log = logOf(port, { ...env, EVENT_LOG_TIMEOUT_MS: '3000' });
    try {
      await log.publish(`t-${randomUUID()}`, [{ key: 'k', value: 'v' }]);
      return 'let in';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await log.close();
    }
  }

  test.each(['plain', 'scram-sha-256', 'scram-sha-512'])('a name and a password by %s, over TLS', async (mechanism) => {
    expect(await roundTrip(saslPort, { KAFKA_TLS_CA_FILE: ca, ...login(mechanism) })).toBe('there and back');
  });

  test('a certificate of the client', async () => {
    expect(await roundTrip(tlsPort, { KAFKA_TLS_CA_FILE: ca, ...own })).toBe('there and back');
  });

  test('a wrong password, no password, no certificate: not let in, and no secret is said', async () => {
    expect(await refused(saslPort, { KAFKA_TLS_CA_FILE: ca, ...login('scram-sha-512', 'not its password') })).toMatch(
      /authentication/i,
    );
    expect(await refused(saslPort, { KAFKA_TLS_CA_FILE: ca, ...login('plain', 'not its password') })).toMatch(
      /authentication/i,
    );
    expect(await refused(saslPort, { KAFKA_TLS_CA_FILE: ca })).not.toBe('let in');
    expect(await refused(tlsPort, { KAFKA_TLS_CA_FILE: ca })).not.toBe('let in');
    expect(said.join()).not.toMatch(/password=|not its password|its own password/);
  });

  test('a broker whose certificate comes from nobody known is not believed', async () => {
    expect(await refused(saslPort, login('plain'))).toMatch(/certificate/i);
  });
});
