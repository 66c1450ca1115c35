export { bulkOf } from './http/body/bulk.ts';
export { Engine, type EngineOptions, type EngineSettings } from './engine.ts';
export type { ReadEngine } from './read/engine.ts';
export type { Render } from './templates/engine.ts';
export type { WriteEngine } from './write/context/engine.ts';
export { documents } from './http/actions/documents.ts';
export { found } from './read/found.ts';
export { invalid, notFound, notPermitted, Refusal, refuse } from './core/errors.ts';
export { applyEvents, concerns } from './replication/follow/apply.ts';
export { typesLookedAt } from './replication/follow/looksAt.ts';
export { touchType } from './replication/follow/touch.ts';
export { Api } from './http/http.ts';
export { send } from './http/message/send.ts';
export { type ActionHandler, type ApiRequest, type ApiResponse, contextOf } from './http/message/message.ts';
export { type FileResponse, serveFile } from './http/actions/serve.ts';
export type { MediaStore } from './media/store.ts';
export { checkConstraint, ConstraintError, constraintSql } from './visibility/permissions.ts';
export { type Action, allowed, ANYBODY, type Constraint, type Grants, type Requester } from './core/requester.ts';
export { REAUTHENTICATION_REQUIRED, requireProof } from './core/proof.ts';
export { briefsOf } from './serialize/related/briefs.ts';
export type { Named } from './core/named.ts';
export { ANY_TYPE, Cache } from './cache/cache.ts';
export { type BaseChoices, type CustomField, CustomFieldDefinitions } from './cache/customFieldDefinitions.ts';
export { briefTexts } from './serialize/related/related.ts';
export {
  type IsHidden,
  type VisibilityQuestion,
  typesViewed,
  viewable,
  viewsAll,
  checkVisibility,
} from './visibility/visibility.ts';
export { shared } from '@cadastre/events/shared';
export { InvalidationPoller, INVALIDATION_SECONDS, trimInvalidations } from './cache/invalidationPoller.ts';
export { type Executor, likeText, rowsOf } from './db/sql.ts';
export { Tables } from './db/tables.ts';
export { countMatching, type Matching, MOST_COUNTED } from './visibility/matching.ts';
export { objectSnapshots } from './templates/objectSnapshots.ts';
export type { ObjectSnapshot } from './serialize/objectSnapshot.ts';
export { list } from './read/list/list.ts';
export { selection } from './read/selection.ts';
export { detail } from './read/detail.ts';
export type { Asked, Neighbours, RelatedObjects } from './templates/neighbours.ts';
export { related } from './templates/related.ts';
export { CONFIG_TEMPLATE, renderConfig, renderTemplate, TEMPLATE_FIELDS } from './http/actions/renderConfig.ts';
export { pageLink, parseQuery } from './read/query/query.ts';
export { type Operation, type Operations, pageParameters, parameter } from './openapi/operation.ts';
export {
  anyBrief,
  arrayOf,
  brief,
  freeForm,
  oneOrMore,
  orNull,
  pageOf,
  record as recordOf,
  refTo,
  whole,
  written,
} from './openapi/shapes.ts';
export { type ApiDocument, openApiOf } from './openapi/openapi.ts';
export { MEDIA } from './serialize/writer.ts';
export { addBriefs } from './replicas/anyObjects.ts';
export { answerDeletion } from './write/remove/asking.ts';
export { type Bodies, create } from './write/create.ts';
export { pointedAt } from './write/effects/customPointers.ts';
export { previewHere } from './write/remove/preview.ts';
export type { DeletionPreview } from './peers/peers.ts';
export { release, trimMarks } from './write/remove/marks.ts';
export type { TypedIds } from './core/typedIds.ts';
export {
  BRIEF,
  type Dependents,
  type Peers,
  type ReplicaRow,
  type Resolution,
  type Resolved,
  Unreachable,
} from './peers/peers.ts';
export { defaultOf } from './write/parse/parse.ts';
export { type Cause, type Change, record } from './write/record/record.ts';
export { lockKeys } from './db/locks.ts';
export { resolveFor, resolveOwn } from './write/resolve/own.ts';
export { fillReplicas, replicaTablesOf, type OnReplicated } from './replication/fill/fill.ts';
export { trimTombstones } from './replicas/tombstones.ts';
export { type ReplicaDefinition, replicaDefinitions, replicaDefinition } from './replicas/definition.ts';
export { type Owners, ownersOf } from './replication/fill/owners.ts';
export { countOf } from './replicas/replicaTable.ts';
export { asideFor } from './replicas/part.ts';
export { replicaRows } from './replicas/rows.ts';
export { replicaTables } from './replicas/schema.ts';
export { type Chunk, rowsAt, secretsOf, snapshotOf, type Wanted } from './replication/fill/snapshot.ts';
export {
  askForFill,
  type Due,
  dueReplicas,
  type Filled,
  noteFailed,
  noteFilled,
  type ReplicaState,
  replicaStates,
} from './replication/fill/state.ts';
export { type Report, verifyReplica } from './replication/fill/verify.ts';
export { PATHS, requirePermitted, READ, requireVisible } from './http/actions/requireVisible.ts';
export { dropReplicas, keepReplicas } from './replicas/replicas.ts';
export { parseItems } from './write/parse/items.ts';
export type { WriteContext } from './write/context/context.ts';
export { pipelined, transaction } from './db/transaction.ts';
export { guarded, userOf, type Waiter } from './db/limiter/guarded.ts';
export { FairLimiter, type FairLimits } from '@cadastre/body';
export { updateMany, updateOne } from './write/update.ts';
export { storedValue, valuesOf } from './db/values.ts';
export { pump, type Stream } from './http/message/stream.ts';
export { noteOutboxSpan, type OutboxSpan as WrittenHere, collectOutboxSpan } from './write/record/outboxSpan.ts';
export { isRecorded } from './write/record/recorded.ts';
