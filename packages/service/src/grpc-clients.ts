import { type Config, peerGrpcAddress } from './config.ts';
import { type GrpcClient, type GrpcClientOptions, grpcClient, type Method } from './grpc-client.ts';

/** Clients of one gRPC service at several of ours, by their names. Connections are made when they are first used. */
export interface GrpcClients<Api extends { [Name in keyof Api]: Method }> {
  client(service: string): GrpcClient<Api>;
  close(): void;
}

export function grpcClients<Api extends { [Name in keyof Api]: Method }>(
  options: Omit<GrpcClientOptions, 'address' | 'to' | 'config'> & { config: Config },
): GrpcClients<Api> {
  const clients = new Map<string, GrpcClient<Api>>();
  return {
    client(service) {
      let known = clients.get(service);
      if (!known)
        clients.set(
          service,
          (known = grpcClient<Api>({ ...options, to: service, address: peerGrpcAddress(options.config, service) })),
        );
      return known;
    },
    close: () => {
      for (const one of clients.values()) one.close();
    },
  };
}
