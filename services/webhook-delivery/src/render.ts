/**
 * Renders a provider's payload without a server, for the command line. Besides `start` and `config`, this is the only
 * file that other packages import (ARCHITECTURE.md).
 */
import { Fault, type Violation } from '@gatehouse/kit/fault';
import type { AllowedMentions, EmbedInput } from '@gatehouse/proto/chat';
import type { ExecuteWebhookBody } from '@gatehouse/proto/webhook-delivery';
import { readChatcompat } from './chatcompat/read-chatcompat.ts';
import { renderCodehost } from './codehost/render.ts';
import { PROVIDER_NAMES } from './deliveries/post-event.ts';
import { EXECUTION_BODY } from './deliveries/post-payload.ts';
import { refusedReason } from './deliveries/refused-reason.ts';
import { readMessageBody } from './execution/message-body.ts';
import { renderEventBody } from './execution/payload.ts';
import { renderStatuspage } from './statuspage/render.ts';
import type { Dialect, UnpostedOutcome } from './store/delivery.ts';

export { explainReason } from './deliveries/explain-reason.ts';

/** A message for chat. */
export interface RenderedMessage {
  /** Null for the webhook's own name. */
  readonly username: string | null;
  readonly content: string | null;
  readonly embeds: readonly EmbedInput[];
  readonly allowed_mentions?: AllowedMentions;
}

/** The message of a payload, or why there is none; violations say which members are invalid. */
export type RenderResult =
  | { readonly message: RenderedMessage }
  | (UnpostedOutcome & { readonly violations: readonly Violation[] });

export interface ProviderRequest {
  readonly dialect: 'chatcompat' | 'codehost' | 'statuspage';
  readonly content_type: string | undefined;
  /** The X-Codehost-Event header. */
  readonly event: string | undefined;
  readonly body: Uint8Array;
}

/** The body of any execution. */
export interface BodyRequest extends Omit<ProviderRequest, 'dialect'> {
  readonly dialect: Dialect;
}

/** Renders the body of a provider's route. Chat does not see the message, and could still refuse it. */
export function renderProvider(request: ProviderRequest): RenderResult {
  return renderBody(request);
}

/** The same for all routes. Of a message body only the types are checked. */
export function renderBody(request: BodyRequest): RenderResult {
  const { dialect } = request;
  try {
    if (dialect === 'webhook') return readMessage(request);
    return dialect === 'chatcompat' ? renderMessage(request) : renderEvent(request, dialect);
  } catch (error) {
    const reason = refusedReason(error, request.content_type);
    if (!(error instanceof Fault) || reason === undefined) throw error;
    return { outcome: 'refused', reason, violations: error.violations };
  }
}

function readMessage(request: BodyRequest): RenderResult {
  const body = readMessageBody<ExecuteWebhookBody>(EXECUTION_BODY, request);
  const { username = null, content = null, embeds, allowed_mentions } = body;
  return { message: { username, content, embeds, ...(allowed_mentions && { allowed_mentions }) } };
}

function renderMessage(request: BodyRequest): RenderResult {
  const { username = null, content = null, embeds } = readChatcompat(request);
  return { message: { username, content, embeds } };
}

function renderEvent(request: BodyRequest, provider: keyof typeof PROVIDER_NAMES): RenderResult {
  const rendering = renderEventBody(request, (payload) =>
    provider === 'codehost' ? renderCodehost(request.event, payload) : renderStatuspage(payload),
  );
  if ('nothing' in rendering) return { outcome: 'nothing', reason: rendering.nothing, violations: [] };
  return { message: { username: PROVIDER_NAMES[provider], content: null, embeds: [rendering.message] } };
}
