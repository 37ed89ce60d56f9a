/**
 * Renders a provider's payload without a server, for the command line. Besides `start` and `config`, this is the only
 * file that other packages import (ARCHITECTURE.md).
 */
import { Fault, type Violation } from '@gatehouse/kit/fault';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { renderChatcompat } from './chatcompat/render.ts';
import { renderCodehost } from './codehost/render.ts';
import { PROVIDER_NAMES } from './deliveries/post-embed.ts';
import { refusedReason } from './deliveries/refused-reason.ts';
import { brokenPayload, emptyPayload } from './errors.ts';
import { readPayload, refuseMultipart } from './execution/payload.ts';
import { renderStatuspage } from './statuspage/render.ts';
import type { Unposted } from './store/delivery.ts';

export { explainReason } from './deliveries/explain-reason.ts';

/** A message for chat. Without a name it gets the webhook's. */
export interface RenderedMessage {
  readonly username: string | null;
  readonly content: string | null;
  readonly embeds: readonly EmbedInput[];
}

/** The message of a payload, or why there is none; violations say which members are invalid. */
export type Rendered =
  | { readonly message: RenderedMessage }
  | (Unposted & { readonly violations: readonly Violation[] });

export interface ProviderRequest {
  readonly dialect: 'chatcompat' | 'codehost' | 'statuspage';
  readonly content_type: string | undefined;
  /** The X-Codehost-Event header. */
  readonly event: string | undefined;
  readonly body: Uint8Array;
}

/** Renders the body of a provider's route. Chat does not see the message, and could still refuse it. */
export function renderProvider(request: ProviderRequest): Rendered {
  const { content_type } = request;
  try {
    refuseMultipart(content_type);
    return request.dialect === 'chatcompat' ? ofChatTool(request) : ofEvent(request);
  } catch (error) {
    const reason = refusedReason(error, content_type);
    if (!(error instanceof Fault) || reason === undefined) throw error;
    return { outcome: 'refused', reason, violations: error.violations };
  }
}

function ofChatTool({ content_type, body }: ProviderRequest): Rendered {
  const payload = readPayload(content_type, body);
  if (payload === undefined) throw brokenPayload();
  const rendering = renderChatcompat(payload);
  if ('nothing' in rendering) throw emptyPayload();
  const { username = null, content = null, embeds } = rendering.message;
  return { message: { username, content, embeds } };
}

function ofEvent({ dialect, content_type, event, body }: ProviderRequest): Rendered {
  const payload = readPayload(content_type, body);
  if (payload === undefined) return { outcome: 'nothing', reason: 'broken_body', violations: [] };
  const rendering = dialect === 'codehost' ? renderCodehost(event, payload) : renderStatuspage(payload);
  if ('nothing' in rendering) return { outcome: 'nothing', reason: rendering.nothing, violations: [] };
  const username = dialect === 'codehost' ? PROVIDER_NAMES.codehost : PROVIDER_NAMES.statuspage;
  return { message: { username, content: null, embeds: [rendering.message] } };
}
