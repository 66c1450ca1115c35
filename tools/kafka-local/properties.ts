/** The settings of a broker that is its own controller (KRaft), reachable from this machine only. */
export const properties = ({ dataDir, port, advertisedPort, controllerPort }: { dataDir: string; port: number; advertisedPort: number; controllerPort: number }): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': `${dataDir}/log`,
    'num.partitions': 1,
    // With one broker there is nobody to replicate to.
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    // A first member need not wait for others: groups here are small and short-lived.
    'group.initial.rebalance.delay.ms': 0,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
