// Runs in the browser. Swagger UI renders long lists only where they are visible; its own filter finds tags only, this
// one finds operations.
const has = (text, words) => words.every((word) => text.includes(word));
const textOf = (operation) =>
  `${operation.get('method')} ${operation.get('path')} ${operation.getIn(['operation', 'operationId'])} ${operation.getIn(['operation', 'summary'])}`.toLowerCase();

/**
 * A part of the document with everything that it refers to. Swagger UI's own resolver processes the whole document for
 * each part that is opened, which takes a minute for a document of this size; here all references point to components.
 */
function resolved(document, value, within = []) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => resolved(document, one, within));
  const { $ref } = value;
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(document, one, within)]));
  if (within.includes($ref)) return { type: 'object', title: $ref.split('/').at(-1) };
  return resolved(document, at(document, $ref.slice(2).split('/')), [...within, $ref]);
}
const at = (value, [first, ...rest]) => (first === undefined ? value : at(value?.[first], rest));

const quick = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({ spec: resolved(document, at(document, path)), errors: [] }),
    opsFilter(tags, phrase) {
      const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
      return tags
        .map((tag, name) =>
          words.includes(name) && words.length === 1
            ? tag
            : tag.update('operations', (all) => all.filter((one) => has(textOf(one), words))),
        )
        .filter((tag) => tag.get('operations').size);
    },
  },
  statePlugins: {
    spec: {
      wrapActions: {
        // Swagger UI parses every document as YAML, which takes minutes for one of this size; this one is JSON.
        parseToJson:
          (_original, { specSelectors, specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text ?? specSelectors.specStr())),
      },
    },
    layout: {
      wrapSelectors: {
        // Matching operations are shown without the need to open their tags.
        isShown: (original) => (state, thing, byDefault) =>
          original(
            thing,
            byDefault ||
              (thing?.[0] === 'operations-tag' &&
                typeof state.get('filter') === 'string' &&
                state.get('filter') !== ''),
          ),
      },
    },
  },
});

fetch('apps.json')
  .then((response) => response.json())
  .then((apps) => {
    SwaggerUIBundle({
      urls: [
        { url: '../?format=json', name: 'everything' },
        ...apps.map((app) => ({ url: `../?format=json&app=${app}`, name: app })),
      ],
      dom_id: '#swagger-ui',
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: -1,
      filter: true,
      persistAuthorization: true,
      validatorUrl: null,
      presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
      plugins: [quick],
      layout: 'StandaloneLayout',
    });
  });
