export { bulkOf } from './request/bulk.ts';
export { Engine, type EngineOptions, type EngineSettings, type Render } from './engine.ts';
export { documents } from './documents.ts';
export { found } from './found.ts';
export { invalid, notFound, notPermitted, Refusal, refuse } from './errors.ts';
export { applyEvents, concerns } from './follow/apply.ts';
export { typesLookedAt } from './follow/looksAt.ts';
export { touchType } from './follow/touch.ts';
export { type ActionHandler, Api, type ApiRequest, type ApiResponse, contextOf, send } from './http.ts';
export { type FileResponse, serveFile } from './media/serve.ts';
export type { MediaStore } from './media/store.ts';
export {
  type Action,
  allowed,
  ANYBODY,
  checkConstraint,
  type Constraint,
  ConstraintError,
  constraintSql,
  type Grants,
  type Requester,
} from './plan/permissions.ts';
export { REAUTHENTICATION_REQUIRED, requireProof } from './plan/proof.ts';
export { briefsOf } from './query/briefs.ts';
export type { Named } from './query/named.ts';
export { ANY_TYPE, Cache } from './query/cache.ts';
export { type BaseChoices, type CustomField, CustomFieldDefinitions } from './query/customFields.ts';
export { briefTexts } from './query/related.ts';
export { type Hides, type Question, typesViewed, viewable, viewsAll, whatIsSeen } from './query/sees.ts';
export { shared } from '@cadastre/events/shared';
export { Look, TOUCHED_SECONDS, trimTouched } from './query/look.ts';
export { type Executor, likeText, rowsOf } from './query/sql.ts';
export { Tables } from './query/tables.ts';
export { countMatching, type Matching, MOST_COUNTED } from './plan/matching.ts';
export { pictures } from './pictures.ts';
export type { Picture } from './response/picture.ts';
export { detail, list, selection } from './read.ts';
export type { Asked, Neighbours, RelatedObjects } from './templates/neighbours.ts';
export { related } from './templates/related.ts';
export { CONFIG_TEMPLATE, renderConfig, renderTemplate, TEMPLATE_FIELDS } from './renderConfig.ts';
export { pageLink, parseQuery } from './request/query.ts';
export { type Operation, type Operations, pageParameters, parameter } from './response/operation.ts';
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
} from './response/shapes.ts';
export { type ApiDocument, openApiOf } from './response/openapi.ts';
export { MEDIA } from './response/writer.ts';
export { addBriefs } from './write/resolve/anyObjects.ts';
export { answerFor } from './write/remove/asking.ts';
export { type Bodies, create } from './write/create.ts';
export { pointedAt } from './write/follow/customPointers.ts';
export { type Foreseen, foreseeHere } from './write/remove/foresee.ts';
export { release, trimMarks } from './write/remove/marks.ts';
export type { OfType } from './write/remove/ofType.ts';
export {
  BRIEF,
  type Dependents,
  type Peers,
  type ReplicaRow,
  type Resolution,
  type Resolved,
  Unreachable,
} from './write/resolve/peers.ts';
export { defaultOf } from './write/parse/parse.ts';
export { type Cause, type Change, record } from './write/record/record.ts';
export { lockKeys } from './write/store/locks.ts';
export { resolveFor, resolveOwn } from './write/resolve/own.ts';
export { fillReplicas, placesOf, type Told } from './replicas/fill.ts';
export { trimGone } from './replicas/gone.ts';
export { type Kept, keptBy, keptOf } from './replicas/kept.ts';
export { type Owners, ownersOf } from './replicas/owners.ts';
export { countOf } from './replicas/place.ts';
export { asideFor } from './replicas/part.ts';
export { replicaRows } from './replicas/rows.ts';
export { replicaTables } from './replicas/schema.ts';
export { type Chunk, rowsAt, secretsOf, snapshotOf, type Wanted } from './replicas/snapshot.ts';
export {
  askForFill,
  type Due,
  dueReplicas,
  type Filled,
  noteFailed,
  noteFilled,
  type ReplicaState,
  replicaStates,
} from './replicas/state.ts';
export { type Report, verifyReplica } from './replicas/verify.ts';
export { PATHS, permitted, READ, seen } from './seen.ts';
export { dropReplicas, keepReplicas } from './write/resolve/replicas.ts';
export { parseItems, type WriteContext } from './write/save.ts';
export { oneBehindTheOther, transaction } from './write/store/transaction.ts';
export { carefully, userOf, type Waits } from './turns/carefully.ts';
export { Turns, type TurnLimits } from '@cadastre/body';
export { updateMany, updateOne } from './write/update.ts';
export { storedValue, valuesOf } from './write/store/values.ts';
export { pump, type Stream } from './stream.ts';
export { noteWritten, type Written as WrittenHere, withWritten } from './write/record/written.ts';
export { isRecorded } from './write/record/recorded.ts';
