import { Form } from '@gatehouse/kit/form';
import { type OperatorSearch, readOperatorIds, readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindWebhooksRequest, FindWebhooksResponse } from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import type { Deps } from '../../deps.ts';
import {
  type AdminWebhookRow,
  findNewestWebhooks,
  findWebhooksNamed,
  findWebhooksNaming,
  findWebhooksOf,
} from '../../store/admin-webhooks.ts';

/** As many accounts at once: one with all bots that it may have. */
const MAX_CREATORS = 500;

export function findWebhooks({ db }: Deps): Handler<FindWebhooksRequest, FindWebhooksResponse> {
  return async (request) => {
    const form = new Form();
    const search = readOperatorSearch(form, request);
    const creators = readOperatorIds(form, 'creator_ids', request.creator_ids, MAX_CREATORS);
    form.check();
    const found = creators.length > 0 ? await findWebhooksOf(db, creators, search) : await find(db, search);
    return { webhooks: found.map(adminWebhookView) };
  };
}

function find(db: Deps['db'], search: OperatorSearch): Promise<AdminWebhookRow[]> {
  if (search.query === '') return findNewestWebhooks(db, search);
  if (isSnowflake(search.query)) return findWebhooksNaming(db, search);
  if (search.query.includes('\0')) return Promise.resolve([]); // PostgreSQL has no such text
  return findWebhooksNamed(db, search);
}
