import { Form } from '@gatehouse/kit/form';
import { readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { FindWebhooksRequest, FindWebhooksResponse } from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import type { Deps } from '../../deps.ts';
import { findNewestWebhooks, findWebhooksNaming } from '../../store/admin-webhooks.ts';

/** A query that is no ID finds nothing. */
export function findWebhooks({ db }: Deps): Handler<FindWebhooksRequest, FindWebhooksResponse> {
  return async (request) => {
    const form = new Form();
    const search = readOperatorSearch(form, request);
    form.check();
    if (search.query === '')
      return { webhooks: (await findNewestWebhooks(db, search)).map(adminWebhookView) };
    if (!isSnowflake(search.query)) return { webhooks: [] };
    return { webhooks: (await findWebhooksNaming(db, search)).map(adminWebhookView) };
  };
}
