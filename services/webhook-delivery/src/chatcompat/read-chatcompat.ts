import { brokenPayload, emptyPayload } from '../errors.ts';
import { type ProviderBody, readPayload } from '../execution/payload.ts';
import { type ChatcompatMessage, renderChatcompat } from './render.ts';

/**
 * Reads the message in a body of the chat-tool route.
 *
 * @throws INVALID_FORM_BODY; BAD_REQUEST if there is nothing to show
 */
export function readChatcompat(body: ProviderBody): ChatcompatMessage {
  const payload = readPayload(body);
  if (payload === undefined) throw brokenPayload();
  const rendering = renderChatcompat(payload);
  if ('nothing' in rendering) throw emptyPayload();
  return rendering.message;
}
