import { readQuery } from '@cadastre/body';
import {
  type ActionHandler,
  type ApiRequest,
  detail,
  type Engine,
  list,
  notFound,
  parameter,
  parseQuery,
  READ,
  refuse,
  whole,
} from '@cadastre/rest';
import { device } from '../models/devices/device.ts';
import { deviceInterface } from '../models/interfaces/interface.ts';
import { pathFrom } from './storedPaths.ts';

/**
 * GET /api/dcim/connected-device/?peer_device=…&peer_interface=…: the device at the other end of an interface's path.
 * Answers 400 when either parameter is missing.
 */
export const connectedDevice = (engine: Engine): ActionHandler => ({
  methods: READ,
  operations: {
    GET: {
      summary: 'Get the device at the other end of the path of an interface',
      answer: whole(device),
      refuses: [404],
      parameters: [
        { ...parameter('peer_device', { type: 'string' }, 'Name of the device at this end.'), required: true },
        { ...parameter('peer_interface', { type: 'string' }, 'Name of its interface.'), required: true },
      ],
    },
  },
  async handle(request) {
    const headers = { Allow: READ.join(', ') };
    if (request.method === 'OPTIONS')
      return {
        status: 200,
        headers,
        body: JSON.stringify({ name: 'Connected Device Locator', description: '', renders: ['application/json'] }),
      };
    const query = parseQuery(request.search, engine.settings);
    const given = readQuery(request.search, engine.settings.maxParameters);
    const [peerDevice, peerInterface] = [given.get('peer_device'), given.get('peer_interface')];
    if (!peerDevice || !peerInterface)
      throw refuse(400, 'Request must include "peer_device" and "peer_interface" filters.');
    const peer = await only(engine, device, { name: peerDevice }, request);
    const port = await only(engine, deviceInterface, { device_id: String(peer), name: peerInterface }, request);
    const path = await pathFrom(engine, { type: deviceInterface.name, id: port });
    const [end] = path?.complete ? path.steps.at(-1)! : [];
    if (end?.type !== deviceInterface.name) throw refuse(404, 'Not found.');
    const { text } = await detail(
      engine,
      deviceInterface,
      String(end.id),
      parseQuery('fields=device', engine.settings),
      request.who,
      request.base,
    );
    const { device: connected } = JSON.parse(text) as { device: { id: number } };
    const shown = await detail(
      engine,
      device,
      String(connected.id),
      { ...query, filters: [], exclude: [...query.exclude, 'config_context'] },
      request.who,
      request.base,
    );
    return { status: 200, headers, body: shown.text };
  },
});

/**
 * The only object that matches the filters and that the requester may see. @throws Refusal 404 when there is no such
 * object, or more than one
 */
async function only(
  engine: Engine,
  model: typeof device,
  filters: Record<string, string>,
  { who, base, path }: ApiRequest,
): Promise<number> {
  const query = parseQuery(new URLSearchParams({ ...filters, fields: 'id', limit: '2' }).toString(), engine.settings);
  const { results } = JSON.parse(await list(engine, model, query, who, { base, path })) as {
    results: { id: number }[];
  };
  if (results.length !== 1) throw notFound(model.className);
  return results[0]!.id;
}
