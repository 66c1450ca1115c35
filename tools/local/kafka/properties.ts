/** Listeners beside the open one, for clients that must authenticate. Certificates are files in PEM form. */
export interface Secured {
  /** Requires a name and a password, by SASL over TLS. */
  saslPort: number;
  /** Requires a certificate, by TLS alone. */
  tlsPort: number;
  /**
   * The broker's own certificate and key, in one file; and the authority from which a client's certificate must come.
   */
  certificate: string;
  authority: string;
  username: string;
  password: string;
}

export interface BrokerSettings {
  dataDir: string;
  port: number;
  advertisedPort: number;
  controllerPort: number;
  secured?: Secured | undefined;
}

/** The SASL mechanisms whose passwords Kafka stores itself, rather than reading them from its settings. */
export const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

const login = (module: string, options = '') => `org.apache.kafka.common.security.${module} required${options};`;

const securing = ({ certificate, authority, username, password }: Secured) => ({
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': certificate,
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': authority,
  'listener.name.ssl.ssl.client.auth': 'required',
  'sasl.enabled.mechanisms': ['PLAIN', ...SCRAM].join(),
  'listener.name.sasl_ssl.plain.sasl.jaas.config': login('plain.PlainLoginModule', ` user_${username}="${password}"`),
  ...Object.fromEntries(
    SCRAM.map((mechanism) => [
      `listener.name.sasl_ssl.${mechanism.toLowerCase()}.sasl.jaas.config`,
      login('scram.ScramLoginModule'),
    ]),
  ),
});

/** The settings of a broker that is its own controller (KRaft), reachable from this machine only. */
export function properties({ dataDir, port, advertisedPort, controllerPort, secured }: BrokerSettings): string {
  const more = secured ? [`SASL_SSL://127.0.0.1:${secured.saslPort}`, `SSL://127.0.0.1:${secured.tlsPort}`] : [];
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: [`PLAINTEXT://127.0.0.1:${port}`, ...more, `CONTROLLER://127.0.0.1:${controllerPort}`].join(),
    'advertised.listeners': [`PLAINTEXT://127.0.0.1:${advertisedPort}`, ...more].join(),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL',
    'log.dirs': `${dataDir}/log`,
    'num.partitions': 1,
    // With one broker there are no replicas.
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    // A first member need not wait for others: groups here are small and short-lived.
    'group.initial.rebalance.delay.ms': 0,
    ...(secured ? securing(secured) : {}),
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
