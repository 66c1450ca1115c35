import type { ReadEngine, ReadSettings } from '../read/engine.ts';
import type { Want } from './known.ts';
import type { RemoteObjects } from './remoteObjects.ts';

/**
 * Renders a template with JSON text as its context; `models` is JSON text of what is known of the objects in it.
 * @throws an error whose message says what is wrong with the template
 */
export type Render = (
  template: string,
  context: string,
  environment: unknown,
  models: string,
  gone?: AbortSignal,
) => Promise<Rendered>;

/** What was rendered, or what of the objects of models in its context a template asks for; see `render.ts`. */
export type Rendered = { text: string } | { wants: Want[] };

interface TemplateSettings extends ReadSettings {
  /** Objects that one template may be given besides those that it is rendered for. */
  maxRelatedObjects?: number;
}

/** What templates use of a service's engine. */
export interface TemplateEngine extends ReadEngine {
  readonly settings: TemplateSettings;
  readonly render: Render;
  /** Where templates find objects of other services. */
  readonly neighbours: RemoteObjects | undefined;
}
