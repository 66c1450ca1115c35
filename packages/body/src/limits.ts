// What a client may send at most. Each limit stands here once; packages/service/src/settings/settings.ts gives it a setting, and
// docs/security.md lists the entry points to which it applies.

/** Of one JSON text, in a body of its own or in a field of a form. Lengths are in bytes. */
export interface JsonLimits {
  /** Lists and objects within each other. */
  depth: number;
  /** Values of all kinds in the whole text. */
  values: number;
  /** Items of one list. */
  items: number;
  /** Members of one object. */
  members: number;
  /** Length of the name of a member, of a number, and of a text. */
  name: number;
  number: number;
  text: number;
}

/** Of a form, whichever way it is encoded. */
export interface FormLimits {
  fields: number;
  /** Length of the name of a field, in bytes. */
  name: number;
  files: number;
}

/** Of a body as a whole. */
export interface SizeLimits {
  /** Bytes, before and after decompression. */
  bytes: number;
  /** How many times larger than what was sent a decompressed body may be: as a whole, and as far as it has been read. */
  ratio: number;
}

export interface BodyLimits {
  size: SizeLimits;
  json: JsonLimits;
  form: FormLimits;
}

/** Bytes of all bodies that are being read, parsed and worked on at the same time: in all, and of one person. */
export interface RoomLimits {
  bytes: number;
  bytesPerUser: number;
  /** How many bodies may wait for room, in all and of one person, and for how long. */
  waiting: number;
  waitingPerUser: number;
  waitMs: number;
}

const MIB = 1024 * 1024;

export const bodyLimits: BodyLimits = {
  size: { bytes: 10 * MIB, ratio: 200 },
  json: { depth: 100, values: 500_000, items: 100_000, members: 100_000, name: 1_000, number: 1_000, text: MIB },
  form: { fields: 5_000, name: 500, files: 1_000 },
};

export const roomLimits: RoomLimits = {
  bytes: 64 * MIB,
  bytesPerUser: 32 * MIB,
  waiting: 64,
  waitingPerUser: 16,
  waitMs: 10_000,
};

/** Bodies of up to this many bytes do not wait for room, and may be compressed at any ratio. */
export const SMALL = 64 * 1024;

/**
 * Up to this many unpacked bytes, the ratio is not compared with what has been read so far, as some parts of a body
 * compress better than others.
 */
export const RATIO_FROM = 512 * 1024;

/** The most that a client without a login may send. It is never decompressed. */
export const UNKNOWN_BYTES = 64 * 1024;

/** The most parameters of an address. */
export const MAX_PARAMETERS = 1_000;
