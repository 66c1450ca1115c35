import { apiPath, webPath } from '@cadastre/model';
import type { Listed } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import { sentOf } from '../../form/sent.ts';
import { withWayBack } from '../../../ui/url/returnUrl.ts';
import { IMAGES, queryAbout } from '../panels/about.ts';
import { headOf } from '../head/head.ts';
import { type Picture, pictureOf } from './pictures.ts';
import type { PageOptions } from '../../../context/pageOptions.ts';
import { pager, pageQuery } from '../../../ui/url/pager.ts';
import { problemsOf } from '../../../client/problems.ts';
import type { ModelPage, Shown, PageRequest } from '../../../context/pageRequest.ts';

/** The pictures of an object, and a form for the next one. */
export const imagesPage = (options: PageOptions): ModelPage => ({
  methods: ['GET', 'POST'],
  async answer(request, model, id) {
    const { api, query, submitted, may, catalogue } = request;
    if (!model.features.has(IMAGES.feature)) throw new HttpError(404, { detail: 'There is no such page.' });
    let problems: Record<string, string> = {};
    if (submitted.fields.has(csrfField))
      try {
        await write(request, model.name, id);
        return { to: request.path };
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 400) throw error;
        problems = problemsOf(error);
      }
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Picture>>(
        `${IMAGES.path}?${queryAbout(IMAGES, model.name, id)}&${pageQuery(query, request.preferences.perPage)}`,
      ),
    ]);
    const [head, mayAdd, mayChange, mayDelete] = await Promise.all([
      headOf(request, model, object, options),
      may('add', IMAGES.type),
      may('change', IMAGES.type),
      may('delete', IMAGES.type),
    ]);
    const home = webPath(catalogue.get(IMAGES.type));
    return {
      view: 'images',
      title: object.display,
      status: Object.keys(problems).length ? 400 : 200,
      data: {
        ...head,
        pictures: list.results.map((one) => ({
          ...pictureOf(one),
          edit: mayChange ? withWayBack(`${home}${one.id}/edit/`, `${head.address}images/`) : undefined,
        })),
        list,
        pager: pager(list, `${head.address}images/`, query, request.preferences.perPage),
        problems: Object.values(problems),
        name: submitted.fields.get('name') ?? '',
        description: submitted.fields.get('description') ?? '',
        mayAdd,
        mayDelete,
      },
    };
  },
});

/** Adds a picture, or deletes the one that the form names. @throws HttpError if the API refuses the request */
async function write({ api, submitted, texts }: PageRequest, type: string, id: number): Promise<void> {
  const { fields, files } = submitted;
  const remove = fields.get('remove');
  if (remove !== null) {
    const address = `${IMAGES.path}${Number(remove)}/`;
    const there = await api.get<Shown>(address);
    if (there['object_type'] !== type || there['object_id'] !== id) throw new HttpError(404, { detail: 'Not found.' });
    await api.ask('DELETE', address);
    return;
  }
  if (!files.has('image')) throw new HttpError(400, { image: [texts('imageMissing')] });
  const body = {
    [IMAGES.typeField]: type,
    [IMAGES.idField]: id,
    name: fields.get('name') ?? '',
    description: fields.get('description') ?? '',
  };
  await api.ask('POST', IMAGES.path, await sentOf(body, submitted, ['image']));
}
