import { webPath } from '@cadastre/model';
import { html, nothing, type PageView } from '@cadastre/pages';
import { csrfField } from '@cadastre/service/web';
import { shown } from '../schema/valueHtml.ts';
import type { Addresses } from '../schema/addresses.ts';
import { formZone, instantText, ZONE } from '../ui/time/formTimes.ts';
import { choiceLabel, typeLabel } from '../schema/labels.ts';
import { timesShown } from '../ui/time/times.ts';
import type { PageRequest } from './pageRequest.ts';

/** What the panels and pages of services are given to work with. */
export function viewOf(request: PageRequest, addresses: Addresses): PageView {
  const { api, query, submitted, path, csrfToken, may, texts, catalogue } = request;
  const fields = new URLSearchParams(submitted.fields);
  fields.delete(csrfField);
  return {
    api,
    query,
    submitted: fields,
    path,
    csrfField: html`<input type="hidden" name="${csrfField}" value="${csrfToken}">`,
    may,
    pageOf: addresses.pageOf,
    pageFor(type, id) {
      const model = catalogue.models.get(type);
      const home = model && webPath(model);
      return home && (id === undefined ? home : `${home}${id}/`);
    },
    typeLabel: (type) => typeLabel(type, catalogue),
    choiceLabel,
    times: {
      zone: formZone(),
      field: html`<input type="hidden" name="${ZONE}" value="${formZone()}" autocomplete="off"${timesShown().zone === undefined ? html` data-own-zone` : nothing}>`,
      named: (id) => html`<span class="zone" id="${id}" data-zone-name>${formZone()}</span>`,
      instant: (text) => instantText(text),
    },
    shown: (value) => shown(value, undefined, { addresses, catalogue, texts }),
  };
}
