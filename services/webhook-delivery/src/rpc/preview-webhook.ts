import { requireAccount } from '@gatehouse/kit/caller';
import { invalidForm, type Violation } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { Embed } from '@gatehouse/proto/chat';
import type { PreviewWebhookRequest, PreviewWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { explainReason } from '../deliveries/explain-reason.ts';
import type { Deps } from '../deps.ts';
import { readDialect } from '../execution/read-dialect.ts';
import { checkByChat } from '../preview/check-by-chat.ts';
import { locateSyntaxError } from '../preview/locate-syntax-error.ts';
import { type RenderedMessage, renderBody } from '../render.ts';
import type { Reason } from '../store/delivery.ts';

/** The longest payload of a preview, and of an execution in these formats. */
const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024;
const MAX_BYTES = {
  webhook: 1024 * 1024,
  chatcompat: 1024 * 1024,
  codehost: undefined,
  statuspage: undefined,
};

export function previewWebhook(deps: Deps): Handler<PreviewWebhookRequest, PreviewWebhookResponse> {
  return async ({ dialect: wanted, event, payload }, call) => {
    requireAccount(call.caller);
    const dialect = readDialect(wanted);
    if (typeof dialect !== 'string') throw invalidForm([dialect]);
    const body = Buffer.from(payload);
    if (body.length > MAX_PAYLOAD_BYTES) {
      const message = 'Must be at most 2 MiB.';
      throw invalidForm([{ path: 'payload', code: 'CONTENT_EXCEEDS_MAX_LENGTH', message }]);
    }
    if (body.length > (MAX_BYTES[dialect] ?? MAX_PAYLOAD_BYTES))
      return unposted('refused', 'too_large', event);
    const rendering = renderBody({ dialect, content_type: undefined, event: event ?? undefined, body });
    if (!('message' in rendering)) {
      const { outcome, reason, violations } = rendering;
      const problems = reason === 'broken_body' ? locateSyntaxError(body) : violations;
      return unposted(outcome, reason, event, problems);
    }
    const checked = await checkByChat(deps, rendering.message, call);
    if ('embeds' in checked) return posted(rendering.message, checked.embeds);
    return unposted('refused', checked.reason, event, checked.violations);
  };
}

function unposted(
  outcome: string,
  reason: Reason,
  event: string | null | undefined,
  problems: readonly Violation[] = [],
): PreviewWebhookResponse {
  return { outcome, reason, explanation: explainReason(reason, event), problems: [...problems], embeds: [] };
}

function posted({ content, username }: RenderedMessage, embeds: readonly Embed[]): PreviewWebhookResponse {
  return { outcome: 'posted', problems: [], content: content?.trim() || null, username, embeds: [...embeds] };
}
