import { Form } from '@gatehouse/kit/form';
import { readOperatorIds, readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindWebhooksRequest, FindWebhooksResponse } from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import type { Deps } from '../../deps.ts';
import {
  type AdminWebhookRow,
  findNewestWebhooks,
  findWebhooksOfCreators,
  searchWebhooks,
} from '../../store/admin-webhooks.ts';

/** As many accounts at once: one with all bots that it may have. */
const MAX_CREATORS = 500;

export function findWebhooks({ db }: Deps): Handler<FindWebhooksRequest, FindWebhooksResponse> {
  return async (request) => {
    const form = new Form();
    const { query: name, ...page } = readOperatorSearch(form, request);
    const creators = readOperatorIds(form, 'creator_ids', request.creator_ids, MAX_CREATORS);
    form.check();
    return { webhooks: (await find()).map(adminWebhookView) };

    async function find(): Promise<AdminWebhookRow[]> {
      if (creators.length > 0) return findWebhooksOfCreators(db, creators, page);
      if (name === '') return findNewestWebhooks(db, page);
      if (name.includes('\0')) return []; // PostgreSQL has no such text
      return searchWebhooks(db, { name, id: isSnowflake(name) ? name : null }, page);
    }
  };
}
