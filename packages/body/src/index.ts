export { type Body, bodyFrom, bodyOf, bodyOn, dictionaryIn } from './body.ts';
export type { FilePart, Form } from './form/multipart.ts';
export { isMultipart, isUrlencoded, readForm } from './form/read.ts';
export { type Field, readUrlencoded } from './form/urlencoded.ts';
export { type JsonOptions, type JsonReading, jsonOf, jsonReading, readJson } from './json/read.ts';
export {
  type BodyLimits,
  bodyLimits,
  type FormLimits,
  type JsonLimits,
  MAX_PARAMETERS,
  type RoomLimits,
  roomLimits,
  type SizeLimits,
  SMALL,
  UNKNOWN_BYTES,
} from './limits.ts';
export { mapPaced, type Pace, paced } from './pace.ts';
export { readQuery, requireFew } from './query.ts';
export { hasBody, receive } from './receive.ts';
export { NoJson, Refusal, refuse } from './refusal.ts';
export { Room } from './room.ts';
export { clientLeft, type FairLimits, FairLimiter } from './fairLimiter.ts';
export { isPacked, packingOf, tooLarge, unpack } from './unpack.ts';
