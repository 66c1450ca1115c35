// What a worker is asked and what it answers. Data travels as JSON text, which is parsed in the worker, as time is
// limited there.

/** The templates of one rendering by name, and the rendered texts. */
export type Texts = Record<string, string | undefined>;

/** How templates treat line ends and blanks around tags, as in Jinja2's environment. */
export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
}

/**
 * Renders texts, each with its own copy of the context. A missing member of a `strict` variable is an error; of any
 * other it is empty.
 */
export interface RenderJob {
  kind: 'render';
  texts: Texts;
  context: string;
  maxOutput: number;
  options?: TemplateOptions;
  strict?: readonly string[];
}

/** What templates know of a type: its fields with the types that they refer to, and its reverse relations by name. */
export interface Shape {
  label: string;
  className: string;
  fields: Readonly<
    Record<
      string,
      {
        to?: string;
        many?: boolean;
        /** It is generic: the type of its object is in this field. */
        typeField?: string;
      }
    >
  >;
  aliases: Readonly<Record<string, string>>;
  /** Types of the objects that refer to it. */
  back: Readonly<Record<string, string>>;
}

/** What a template asked for that was not loaded: a type, all fields of an object, or a reverse relation of it. */
export type Want =
  | readonly ['type', string]
  | readonly ['object', string, number]
  | readonly ['list', string, number, string];

/** The objects of models from which a template may go on to others. */
export interface Models {
  /** Variables that are objects of a type, or lists of them. */
  roots: Readonly<Record<string, { type: string; many?: true }>>;
  /** null for types that are not known. */
  types: Readonly<Record<string, Shape | null>>;
  /** By type and id; null for objects that do not exist or may not be viewed. */
  objects: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  /** Ids of objects by type, id and name of the relation. */
  lists: Readonly<Record<string, readonly number[]>>;
  maxWants: number;
}

/** Renders a text whose context has objects of models. `models` is JSON text. */
export interface ExploreJob {
  kind: 'explore';
  template: string;
  context: string;
  models: string;
  maxOutput: number;
  options?: TemplateOptions;
}

/** The rendered text, or what has to be loaded before the text can be rendered. */
export type Explored = { text: string } | { wants: Want[] };

/** What the workers of a pool can do: jobs by kind, with what they result in. */
export type Jobs = Record<string, { job: { kind: string }; result: unknown }>;

/** What every worker can do. */
export interface TemplateJobs extends Jobs {
  render: { job: RenderJob; result: Texts };
  explore: { job: ExploreJob; result: Explored };
}

/** Every message of a worker says how much processor time it has used so far. */
export interface Used {
  usedMs: number;
}

/** `late`: the worker ended the job itself, as it had not been killed in time. */
export type Answer = { ok: true; result: unknown } | { ok: false; error: string; late?: true };

/** What a job says on the way. */
export interface Word {
  word: unknown;
}
