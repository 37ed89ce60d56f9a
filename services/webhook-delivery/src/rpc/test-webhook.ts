import { invalidForm } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { TestWebhookRequest, TestWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { newDeliveryView } from '../deliveries/delivery-view.ts';
import { postPayload } from '../deliveries/post-payload.ts';
import { testPayload } from '../deliveries/test-payloads.ts';
import type { Deps } from '../deps.ts';
import { readDialect } from '../execution/read-dialect.ts';
import { requireExecutableWebhook } from '../webhooks/manager.ts';
import { withCurrentCheck } from '../webhooks/with-current-check.ts';

export function testWebhook(deps: Deps): Handler<TestWebhookRequest, TestWebhookResponse> {
  return async ({ webhook_id, dialect: wanted }, call) => {
    const dialect = readDialect(wanted ?? 'webhook');
    if (typeof dialect !== 'string') throw invalidForm([dialect]);
    const check = () => requireExecutableWebhook(deps, { webhook_id }, call);
    const delivery = await withCurrentCheck(deps, check, async (webhook) => {
      const sent = testPayload(dialect, new Date());
      const execution = { ...sent, dialect, webhook, status: 200, origin: 'test' } as const;
      return deps.executions.deliver(execution, () => postPayload(deps, webhook, dialect, sent, call));
    });
    return { delivery: newDeliveryView(delivery) };
  };
}
