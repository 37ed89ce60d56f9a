import { Form } from '@gatehouse/kit/form';
import { readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ListNoisyWebhooksRequest,
  ListNoisyWebhooksResponse,
} from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import type { Deps } from '../../deps.ts';
import { findNoisyWebhooks } from '../../store/outcome-counts.ts';

const DEFAULT_LIMIT = 20;

export function listNoisyWebhooks({
  db,
}: Deps): Handler<ListNoisyWebhooksRequest, ListNoisyWebhooksResponse> {
  return async (request) => {
    const form = new Form();
    const { limit } = readOperatorSearch(form, { limit: request.limit }, DEFAULT_LIMIT);
    form.check();
    const rows = await findNoisyWebhooks(db, limit);
    return {
      webhooks: rows.map((row) => ({
        webhook: adminWebhookView(row),
        outcomes: row,
        last_posted_at_ms: row.last_posted_at?.getTime(),
      })),
    };
  };
}
