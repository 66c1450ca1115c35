// All answers of the stubs of neighbours. The neighbours know one user, who may do everything, and have no objects. A
// method that is not listed here answers with an empty message, as proto3 defines it: no entries, zeros, empty texts.
import type { Identity } from '@cadastre/service/identity';

/** The user on whose behalf a service that runs alone is called. */
export const USER = { id: 1, username: 'admin', superuser: true, active: true };

/** The same user as the gateway would describe them to services. */
export const IDENTITY: Identity = {
  anonymous: false,
  userId: USER.id,
  username: USER.username,
  superuser: USER.superuser,
  permissionsVersion: 1,
  tokenId: null,
  writeEnabled: true,
};

// biome-ignore lint/suspicious/noExplicitAny: requests are of any message type
type Request = any;
type Answer = (request: Request) => unknown;

/** By the full name of a service in proto/, and by method. */
export const ANSWERS: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  'cadastre.auth.Auth': {
    VerifyToken: () => ({
      ok: true,
      user: USER,
      token: { id: 1, version: 1, write_enabled: true, enabled: true },
      permissions_version: 1,
    }),
    Permissions: () => ({ version: 1 }),
    UserPermissions: ({ user_ids }: { user_ids: number[] }) => ({
      users: user_ids.map((id) => ({ user: { ...USER, id }, version: 1 })),
    }),
  },
  'cadastre.auth.External': { LoginMethods: () => ({ passwords: true }) },
  'cadastre.models.Models': {
    Resolve: ({ references }: { references: string }) => ({
      results: (JSON.parse(references) as unknown[]).map(() => ({ error: 'A stub has no objects.' })),
      rows: '[]',
    }),
    Viewable: ({ questions }: { questions: unknown[] }) => ({ answers: questions.map(() => ({})) }),
    CountMatching: ({ types }: { types: string[] }) => ({ counts: types.map(() => 0) }),
    ReplicaRows: () => ({ rows: '[]' }),
    async *ReplicaSnapshot({ types }: { types: { type: string }[] }) {
      for (const { type } of types) yield { type, rows: '[]', last: true };
    },
  },
  'cadastre.paths.Paths': { PathsThrough: () => ({ paths: '[]' }) },
};

const page = { count: 0, next: null, previous: null, results: [] };
const document = { openapi: '3.1.0', info: { title: 'stub', version: '1' }, paths: {}, components: { schemas: {} } };

/** The answers by HTTP; every other path is an empty list. */
export const httpAnswer = (path: string): unknown =>
  path === '/internal/openapi.json' ? document : path === '/internal/workers' ? { running: 0 } : page;
