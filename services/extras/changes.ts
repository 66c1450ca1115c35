import { isoSql } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import { type GrpcService, grpcService } from '@cadastre/service/grpc';
import { CHANGES, type ChangeRecord, type ChangesApi } from './models/changesApi.ts';
import { objectChange } from './models/objectChange.ts';

/** The most records of one answer. */
const MOST = 1_000;

const STATEMENT = `select id, ${isoSql('time')}, event_id, request_id, user_name, action, changed_object_type, changed_object_id, object_repr, message,
    coalesce(prechange_data::text, 'null'), coalesce(postchange_data::text, 'null')
  from ${objectChange.table} where time >= $1::timestamptz and time <= $2::timestamptz and (cardinality($3::text[]) = 0 or changed_object_type = any($3::text[]))
  and ($5::bigint = 0 or (time, id) > (nullif($4, '')::timestamptz, $5::bigint)) order by time, id limit $6`;

/** Change records for replays, as the webhooks service asks for them. */
export const changesGrpc = (executor: Executor): GrpcService =>
  grpcService<ChangesApi>(
    CHANGES,
    { List: ['webhooks'] },
    {
      async List({ since, until, types, after_time, after_id, limit }) {
        const rows = await rowsOf(executor, {
          text: STATEMENT,
          values: [since, until, types, after_time, after_id, Math.min(limit, MOST)],
        });
        return {
          changes: rows.map(
            ([
              id,
              time,
              event,
              request,
              user,
              action,
              type,
              object,
              display,
              message,
              prechange,
              postchange,
            ]): ChangeRecord => ({
              id: Number(id),
              time: time!,
              event_id: event!,
              request_id: request!,
              user: user ?? '',
              action: action as ChangeRecord['action'],
              type: type!,
              object_id: Number(object),
              display: display ?? '',
              message: message ?? '',
              prechange: prechange!,
              postchange: postchange!,
            }),
          ),
        };
      },
    },
  );
