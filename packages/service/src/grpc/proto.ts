import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, type ServiceClientConstructor, type ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const protoFolder = fileURLToPath(new URL('../../../../proto/', import.meta.url));

/** A service as a proto file defines it. */
export type ServiceName = {
  /** A file of the folder proto/, such as `auth.proto`, or an absolute path. */
  readonly proto: string;
  /** The full name, such as `cadastre.auth.Auth`. */
  readonly service: string;
};

const loaded = new Map<string, ReturnType<typeof loadPackageDefinition>>();

/** The definition of a service; a proto file is read once per process. */
export function serviceDefinition(name: ServiceName): ServiceDefinition {
  return constructorOf(name).service;
}

/** The client class of a service. */
export function constructorOf({ proto, service }: ServiceName): ServiceClientConstructor {
  const file = isAbsolute(proto) ? proto : join(protoFolder, proto);
  const definition = loaded.get(file) ?? load(file);
  loaded.set(file, definition);
  const found = service
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], definition);
  if (typeof found !== 'function') throw new Error(`${proto} defines no service ${service}`);
  return found as ServiceClientConstructor;
}

/** Field names as in the file; 64-bit integers as numbers, since no id of ours comes near 2^53. */
const load = (file: string) =>
  loadPackageDefinition(
    loadSync(file, {
      keepCase: true,
      longs: Number,
      enums: String,
      defaults: true,
      oneofs: true,
      includeDirs: [protoFolder],
    }),
  );
