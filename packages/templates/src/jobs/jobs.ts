// What a worker is asked and what it answers. Data travels as JSON text: it is read in the worker, whose time is
// limited.

/** The templates of one rendering, by name, and what became of them. */
export type Texts = Record<string, string | undefined>;

/** How templates treat line ends and blanks around tags, as in Jinja2's environment. */
export interface TemplateOptions {
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
}

/**
 * Renders texts, each with its own copy of the context. To ask one of the `strict` variables for what it does not have
 * is an error; elsewhere it is nothing.
 */
export interface RenderJob {
  kind: 'render';
  texts: Texts;
  context: string;
  maxOutput: number;
  options?: TemplateOptions;
  strict?: readonly string[];
}

/** What templates know of a type: fields with what they refer to, and what refers to its objects, by name. */
export interface Shape {
  label: string;
  className: string;
  fields: Readonly<
    Record<
      string,
      {
        to?: string;
        many?: boolean;
        /** It refers to an object of the type that stands in this field. */
        typeField?: string;
      }
    >
  >;
  aliases: Readonly<Record<string, string>>;
  /** Types of the objects that refer to it. */
  back: Readonly<Record<string, string>>;
}

/**
 * What a template asked for that was not there: a type, all of an object, the objects that refer to one under a name.
 */
export type Want =
  | readonly ['type', string]
  | readonly ['object', string, number]
  | readonly ['list', string, number, string];

/** Objects of models that a template may go on from. */
export interface Models {
  /** Variables that are objects of a type, or lists of them. */
  roots: Readonly<Record<string, { type: string; many?: true }>>;
  /** null for types that are not known. */
  types: Readonly<Record<string, Shape | null>>;
  /** By type and number; null for those that are not there or may not be seen. */
  objects: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  /** Numbers of objects, by type, number and name of the relation. */
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

/** What was rendered, or what has to be loaded before it can be. */
export type Explored = { text: string } | { wants: Want[] };

/** What the workers of a pool can do: jobs by kind, with what they result in. */
export type Jobs = Record<string, { job: { kind: string }; result: unknown }>;

/** What every worker can do. */
export interface TemplateJobs extends Jobs {
  render: { job: RenderJob; result: Texts };
  explore: { job: ExploreJob; result: Explored };
}

/** How much of the processor a worker has used so far comes with every word from it. */
export interface Used {
  usedMs: number;
}

/** `late`: the worker gave the job up itself, as it was not killed in time. */
export type Answer = { ok: true; result: unknown } | { ok: false; error: string; late?: true };

/** What a job says on the way. */
export interface Word {
  word: unknown;
}
