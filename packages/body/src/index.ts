export { type Body, bodyOf, bodyOn, dictionaryIn } from './body.ts';
export type { Form } from './form/multipart.ts';
export { isMultipart, isUrlencoded } from './form/read.ts';
export { type JsonOptions, jsonOf, readJson } from './json/read.ts';
export {
  type BodyLimits,
  bodyLimits,
  type FormLimits,
  type JsonLimits,
  MAX_PARAMETERS,
  type RoomLimits,
  roomLimits,
  type SizeLimits,
  UNKNOWN_BYTES,
} from './limits.ts';
export { mapPaced } from './pace.ts';
export { readQuery, requireFew } from './query.ts';
export { hasBody, receive } from './receive.ts';
export { NoJson, Refusal, refuse } from './refusal.ts';
export { Room } from './room.ts';
export { clientLeft, type FairLimits, FairLimiter } from './fairLimiter.ts';
export { isPacked } from './unpack.ts';
