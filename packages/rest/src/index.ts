export { bulkOf } from './http/body/bulk.ts';
export { Engine, type EngineOptions, type EngineSettings } from './engine.ts';
export type { Render } from './templates/engine.ts';
export { documents } from './http/actions/documents.ts';
export { found } from './read/found.ts';
export { invalid, notFound, notPermitted, Refusal, refuse } from './core/errors.ts';
export { applyEvents, concerns } from './replication/follow/apply.ts';
export { referencedTypes } from './replication/follow/referencedTypes.ts';
export { invalidateType } from './replication/follow/invalidate.ts';
export { Api } from './http/http.ts';
export { send } from './http/message/send.ts';
export { type ActionHandler, type ApiRequest, type ApiResponse, contextOf } from './http/message/message.ts';
export { serveFile } from './http/actions/serve.ts';
export type { MediaStore } from './media/store.ts';
export { checkConstraint, ConstraintError } from './visibility/permissions.ts';
export { allowed, ANYBODY, type Constraint, type Grants, type Requester } from './core/requester.ts';
export { requireReauthentication } from './core/reauthentication.ts';
export { briefsOf } from './serialize/related/briefs.ts';
export type { Named } from './core/named.ts';
export { type BaseChoices, CustomFieldDefinitions } from './cache/customFieldDefinitions.ts';
export { briefTexts } from './serialize/related/related.ts';
export {
  type IsHidden,
  type VisibilityQuestion,
  viewable,
  checkVisibility,
} from './visibility/visibility.ts';
export { shared } from '@cadastre/events/shared';
export { trimInvalidations } from './cache/invalidationPoller.ts';
export { type Executor, rowsOf } from './db/sql.ts';
export { Tables } from './db/tables.ts';
export { countMatching, type Matching, MOST_COUNTED } from './visibility/matching.ts';
export { objectSnapshots } from './templates/objectSnapshots.ts';
export type { ObjectSnapshot } from './serialize/objectSnapshot.ts';
export { list } from './read/list/list.ts';
export { selection } from './read/selection.ts';
export { detail } from './read/detail.ts';
export type { Asked, RemoteObjects, RelatedObjects } from './templates/remoteObjects.ts';
export { related } from './templates/related.ts';
export { renderConfig } from './http/actions/renderConfig.ts';
export { pageLink, parseQuery } from './read/query/query.ts';
export { type Operation, pageParameters, parameter } from './openapi/operation.ts';
export {
  anyBrief,
  arrayOf,
  brief,
  freeForm,
  oneOrMore,
  orNull,
  pageOf,
  record as recordOf,
  whole,
} from './openapi/shapes.ts';
export { type ApiDocument, openApiOf } from './openapi/openapi.ts';
export { MEDIA } from './serialize/writer.ts';
export { addBriefs } from './replicas/anyObjects.ts';
export { answerDeletion } from './write/consequences/asking.ts';
export { create } from './write/create/create.ts';
export { pointedAt } from './write/consequences/customPointers.ts';
export { previewHere } from './write/remove/preview.ts';
export type { DeletionPreview } from './peers/peers.ts';
export { release, trimMarks } from './write/consequences/marks.ts';
export type { TypedIds } from './core/typedIds.ts';
export {
  BRIEF,
  type Dependents,
  type Peers,
  type ReplicaRow,
  type Resolution,
  Unreachable,
} from './peers/peers.ts';
export { defaultOf } from './write/parse/parse.ts';
export { record } from './write/record/record.ts';
export type { Cause, Change } from './write/context/change.ts';
export { lockKeys } from './db/locks.ts';
export { resolveFor } from './write/resolve/own.ts';
export { fillReplicas, type OnReplicated } from './replication/fill/fill.ts';
export { trimTombstones } from './replicas/tombstones.ts';
export { type ReplicaDefinition, replicaDefinitions, replicaDefinition } from './replicas/definition.ts';
export { type Owners, ownersOf } from './replication/fill/owners.ts';
export { relevanceFilter } from './replicas/part.ts';
export { replicaRows } from './replicas/rows.ts';
export { type Chunk, rowsAt, secretsOf, snapshotOf, type Wanted } from './replication/fill/snapshot.ts';
export {
  askForFill,
  type Due,
  dueReplicas,
  noteFailed,
  noteFilled,
  type ReplicaState,
  replicaStates,
} from './replication/fill/state.ts';
export { verifyReplica } from './replication/fill/verify.ts';
export { PATHS, requirePermitted, READ, requireVisible } from './http/actions/requireVisible.ts';
export { parseItems } from './write/parse/items.ts';
export type { WriteContext } from './write/context/context.ts';
export { pipelined, transaction } from './db/transaction.ts';
export { guarded, userOf } from './db/limiter/guarded.ts';
export { FairLimiter } from '@cadastre/body';
export { updateOne } from './write/update/update.ts';
export { valuesOf } from './db/values.ts';
export type { Stream } from './http/message/stream.ts';
export { noteOutboxSpan, collectOutboxSpan } from './write/record/outboxSpan.ts';
export { isRecorded } from './write/record/recorded.ts';
