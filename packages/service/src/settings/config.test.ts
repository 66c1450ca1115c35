import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig, peerGrpcAddress, peerHttpUrl, serviceDatabaseUrl } from './config.ts';
import { newKeyPair } from '../security/new-keys.ts';

const base = {};
const problems = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig({ ...base, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('loadConfig', () => {
  test('has a default for everything that all processes need', () => {
    expect(loadConfig(base)).toMatchObject({
      port: 8000,
      httpPort: 8000,
      dataDir: './data',
      paginateCount: 50,
      maxPageSize: 1000,
      loginRequired: true,
      kafkaBrokers: [],
      trustedProxies: ['loopback'],
    });
    expect(loadConfig(base).defaultPermissions['users.view_token']).toEqual([{ user: '$user' }]);
  });

  test('names every wrong variable at once', () => {
    expect(
      problems({
        PORT: '70000',
        MAINTENANCE_MODE: 'maybe',
        SUPERUSER_API_TOKEN: 'short',
        DCIM_DATABASE_URL: 'mysql://x',
      }),
    ).toEqual([
      'PORT must be a whole number from 1 to 65535',
      'SUPERUSER_API_TOKEN must be exactly 40 letters and digits',
      'MAINTENANCE_MODE must be true or false',
      'DCIM_DATABASE_URL must be a URL like postgres://user:password@host:5432/database',
    ]);
  });

  test('hashing passwords costs as much as is recommended at least', () => {
    const cost = (memory: string, passes: string) => () =>
      loadConfig({ ...base, PASSWORD_ARGON2_MEMORY_KB: memory, PASSWORD_ARGON2_PASSES: passes }).passwordArgon2MemoryKb;
    for (const [memory, passes] of [
      ['47104', '1'],
      ['19456', '2'],
      ['12288', '3'],
      ['9216', '4'],
      ['7168', '5'],
      ['7168', '20'],
    ] as const) {
      expect(cost(memory, passes)()).toBe(Number(memory));
      expect(cost(String(Number(memory) - 1), passes)).toThrow('PASSWORD_ARGON2_MEMORY_KB');
    }
    expect(() => loadConfig({ ...base, PASSWORD_MIN_LENGTH: '20', PASSWORD_MAX_LENGTH: '19' })).toThrow(
      'PASSWORD_MIN_LENGTH must not be larger than PASSWORD_MAX_LENGTH',
    );
  });

  test('an empty variable counts as absent', () => {
    expect(loadConfig({ ...base, PORT: '', KAFKA_BROKERS: '' }).port).toBe(8000);
  });

  test.each([
    ['0', 0],
    ['None', 0],
    ['none', 0],
    ['250', 250],
  ])('MAX_PAGE_SIZE %s', (value, expected) => {
    expect(loadConfig({ ...base, MAX_PAGE_SIZE: value }).maxPageSize).toBe(expected);
  });

  test.each([
    ['true', true],
    ['1', true],
    ['False', false],
    ['0', false],
  ])('a flag may be %s', (value, expected) => {
    expect(loadConfig({ ...base, LOGIN_REQUIRED: value }).loginRequired).toBe(expected);
  });

  test('lists are comma-separated or JSON', () => {
    expect(loadConfig({ ...base, KAFKA_BROKERS: 'a:9092, b:9092' }).kafkaBrokers).toEqual(['a:9092', 'b:9092']);
    expect(loadConfig({ ...base, EXEMPT_VIEW_PERMISSIONS: '["dcim.site", "*"]' }).exemptViewPermissions).toEqual([
      'dcim.site',
      '*',
    ]);
    expect(
      loadConfig({ ...base, HTTP_CLIENT_IP_HEADERS: 'HTTP_X_REAL_IP,X-Forwarded-For,REMOTE_ADDR' }).httpClientIpHeaders,
    ).toEqual(['x-real-ip', 'x-forwarded-for', 'remote-addr']);
    expect(problems({ KAFKA_BROKERS: 'a' })).toEqual(['KAFKA_BROKERS must be a list of host:port']);
    expect(problems({ TRUSTED_PROXIES: '10.0.0.0/8,nonsense' })).toHaveLength(1);
  });

  test('permissions and peppers are JSON', () => {
    expect(
      loadConfig({ ...base, DEFAULT_PERMISSIONS: '{"dcim.view_site": {"name": "x"}, "dcim.view_rack": null}' })
        .defaultPermissions,
    ).toEqual({ 'dcim.view_site': [{ name: 'x' }], 'dcim.view_rack': [] });
    expect(problems({ DEFAULT_PERMISSIONS: '{"nonsense": []}' })[0]).toContain('DEFAULT_PERMISSIONS');
    const config = loadConfig({ ...base, API_TOKEN_PEPPERS: JSON.stringify({ 1: 'p'.repeat(50) }) });
    expect(config.apiTokenPeppers.get(1)?.reveal()).toBe('p'.repeat(50));
    expect(problems({ API_TOKEN_PEPPERS: '{"1": "short"}' })).toEqual([
      'API_TOKEN_PEPPERS each pepper must have at least 50 characters',
    ]);
    expect(problems({ API_TOKEN_PEPPERS: '{' })).toEqual(['API_TOKEN_PEPPERS must be JSON']);
  });

  test('settings that need each other', () => {
    expect(problems({ KAFKA_SASL_MECHANISM: 'plain' })).toEqual([
      'KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_PASSWORD is required with KAFKA_SASL_MECHANISM',
    ]);
    expect(problems({ KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' })).toEqual([
      'KAFKA_SASL_MECHANISM is required with KAFKA_SASL_USERNAME',
      'KAFKA_SASL_MECHANISM is required with KAFKA_SASL_PASSWORD',
    ]);
    expect(problems({ KAFKA_SASL_MECHANISM: 'gssapi' })).toEqual([
      'KAFKA_SASL_MECHANISM must be plain, scram-sha-256 or scram-sha-512',
    ]);
    expect(problems({ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: '/x' })).toEqual([
      'KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE are required with each other',
    ]);
    expect(problems({ KAFKA_TLS_CA_FILE: '/x' })).toEqual([
      'KAFKA_TLS must be true with KAFKA_TLS_CA_FILE or KAFKA_TLS_CERT_FILE',
    ]);
    expect(problems({ EVENT_PARTITIONS: '0', KAFKA_REPLICATION_FACTOR: 'x' })).toHaveLength(2);
    expect(problems({ PAGINATE_COUNT: '100', MAX_PAGE_SIZE: '50' })).toEqual([
      'PAGINATE_COUNT must not be larger than MAX_PAGE_SIZE',
    ]);
  });

  test('keys are read, and one that is none is named without being shown', () => {
    const { private: own, public: shown } = newKeyPair();
    const pem = `-----BEGIN PRIVATE KEY-----\n${own}\n-----END PRIVATE KEY-----\n`;
    for (const key of [own, pem])
      expect(loadConfig({ SERVICE_KEY: key }).serviceKey?.asymmetricKeyType).toBe('ed25519');
    expect(loadConfig({ IDENTITY_PUBLIC_KEYS: `${shown}, ${newKeyPair().public}` }).identityPublicKeys).toHaveLength(2);
    expect(
      loadConfig({
        SERVICE_PUBLIC_KEYS: JSON.stringify({ dcim: shown, ipam: [newKeyPair().public] }),
      }).servicePublicKeys.get('dcim'),
    ).toHaveLength(1);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    for (const wrong of [shown, 'x'.repeat(64), rsa])
      expect(problems({ SERVICE_KEY: wrong })).toEqual([
        'SERVICE_KEY must be an Ed25519 private key: PKCS#8 in base64, or PEM',
      ]);
    for (const wrong of [own, 'x'])
      expect(problems({ IDENTITY_PUBLIC_KEYS: wrong, SERVICE_PUBLIC_KEYS: JSON.stringify({ dcim: wrong }) })).toEqual([
        'IDENTITY_PUBLIC_KEYS must be Ed25519 public keys: SPKI in base64, or PEM',
        expect.stringMatching(/^SERVICE_PUBLIC_KEYS /),
      ]);
    expect(
      problems({ SERVICE_PUBLIC_KEYS: JSON.stringify({ dcim: shown, ipam: shown }), IDENTITY_PUBLIC_KEYS: shown }),
    ).toEqual([
      'SERVICE_PUBLIC_KEYS and IDENTITY_PUBLIC_KEYS: dcim and ipam and identities must have keys of their own',
    ]);
  });

  test('a printed config shows no secret', () => {
    const { private: own } = newKeyPair();
    expect(
      inspect(loadConfig({ SERVICE_KEY: own, IDENTITY_KEY: own }), { depth: 9, showHidden: true }) +
        JSON.stringify(loadConfig({ SERVICE_KEY: own })),
    ).not.toContain(own.slice(-20));
    const config = loadConfig({
      SERVICE_SECRET: 's'.repeat(32),
      ...base,
      DATABASE_URL: 'postgres://u:hidden@h/x',
      SUPERUSER_PASSWORD: 'hidden',
      IPAM_DATABASE_URL: 'postgres://u:hidden@h/y',
      API_TOKEN_PEPPERS: JSON.stringify({ 1: 'hidden'.repeat(10) }),
    });
    expect(JSON.stringify(config)).not.toMatch(/hidden|sssss/);
    expect(String(config.superuserPassword)).not.toContain('hidden');
  });
});

test('each service has its own database on the common server, or one given to it', () => {
  const config = loadConfig({
    ...base,
    DATABASE_URL: 'postgres://u:p@h:5432/ignored?sslmode=disable',
    IPAM_DATABASE_URL: 'postgres://other/ipam',
  });
  expect(serviceDatabaseUrl(config, 'dcim')).toBe('postgres://u:p@h:5432/cadastre_dcim?sslmode=disable');
  expect(serviceDatabaseUrl(config, 'ipam')).toBe('postgres://other/ipam');
  expect(() => serviceDatabaseUrl(loadConfig(base), 'dcim')).toThrow('DATABASE_URL is required (or DCIM_DATABASE_URL)');
});

test('peers are looked up by name; a missing or malformed one is named when it is needed', () => {
  const config = loadConfig({
    ...base,
    DCIM_HTTP_URL: 'http://dcim:8000/',
    DCIM_GRPC_ADDRESS: 'dcim:50051',
    OTHER_HTTP_URL: 'nonsense',
  });
  expect(peerHttpUrl(config, 'dcim')).toBe('http://dcim:8000');
  expect(peerGrpcAddress(config, 'dcim')).toBe('dcim:50051');
  expect(() => peerHttpUrl(config, 'other')).toThrow('OTHER_HTTP_URL');
  expect(() => peerGrpcAddress(config, 'auth')).toThrow('AUTH_GRPC_ADDRESS');
});
