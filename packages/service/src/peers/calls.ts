import { type Config, peerGrpcAddress } from '../settings/config.ts';
import { type GrpcClient, grpcClient, type Method } from '../grpc/client.ts';
import type { ServiceName } from '../grpc/proto.ts';
import { localClient } from './local-calls.ts';
import type { LocalServices } from './local-services.ts';

// biome-ignore lint/suspicious/noExplicitAny: of whatever API
type AnyClient = GrpcClient<any>;

/** The gRPC services of others, as one service calls them. */
export interface Calls {
  /**
   * A client of one of them; repeated calls return the same client. A service of the same process is called directly,
   * any other one over a connection, which is made with the first call.
   */
  to<Api extends { [Name in keyof Api]: Method }>(service: string, name: ServiceName): GrpcClient<Api>;
  close(): void;
}

/** @param from the calling service's own name */
export function callsOf(from: string, config: Config, neighbours?: LocalServices): Calls {
  const clients = new Map<string, AnyClient>();
  const open = (to: string, name: ServiceName): AnyClient =>
    neighbours?.hosts(to)
      ? localClient({ ...name, to, from, config, neighbours })
      : grpcClient({ ...name, to, from, config, address: peerGrpcAddress(config, to) });
  return {
    to<Api extends { [Name in keyof Api]: Method }>(service: string, name: ServiceName) {
      const key = `${service} ${name.service}`;
      let known = clients.get(key);
      if (!known) clients.set(key, (known = open(service, name)));
      return known as GrpcClient<Api>;
    },
    close() {
      for (const one of clients.values()) one.close();
    },
  };
}
