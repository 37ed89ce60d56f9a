import type { CreateMessageRequest, CreateWebhookMessageRequest, EmbedInput } from '@gatehouse/proto/chat';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';

const TIMEOUT_MS = 20_000;

/** Call options with an account as caller. */
export function as(account_id: string): { caller: Caller; timeoutMs: number } {
  const caller: Caller = {
    kind: CallerKind.CALLER_KIND_SESSION,
    account_id,
    credential_id: '1',
    application_id: '',
    scopes: [],
    ip: '192.0.2.1',
    user_agent: '',
  };
  return { caller, timeoutMs: TIMEOUT_MS };
}

/** Call options of a service without a caller. */
export const internally = { timeoutMs: TIMEOUT_MS };

/** A message's request with defaults. */
export function messageOf(
  channel_id: string,
  message: Partial<CreateMessageRequest> | string,
): CreateMessageRequest {
  return { channel_id, embeds: [], ...(typeof message === 'string' ? { content: message } : message) };
}

/** Like messageOf, for a webhook. */
export function webhookMessageOf(
  channel_id: string,
  message: Partial<CreateWebhookMessageRequest> | string,
): CreateWebhookMessageRequest {
  return {
    webhook_id: '77',
    channel_id,
    username: 'Deploys',
    embeds: [],
    ...(typeof message === 'string' ? { content: message } : message),
  };
}

export function embedOf(embed: Partial<EmbedInput>): EmbedInput {
  return { fields: [], ...embed };
}
