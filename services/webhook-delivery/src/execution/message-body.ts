import { parseObject, readJson, requireValid } from '@gatehouse/kit/json';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { tooManyEmbeds } from '../errors.ts';
import { refuseMultipart } from './payload.ts';

/**
 * Reads the JSON of a message, or of an edit, into a message of the contract. It checks the types only; chat checks
 * name, text, embeds and mentions together.
 *
 * @throws INVALID_FORM_BODY
 */
export function readMessageBody<T>(
  form: string,
  { content_type, body }: { readonly content_type?: string | null | undefined; readonly body: Uint8Array },
): T {
  refuseMultipart(content_type);
  const json = parseObject(body);
  // Chat's limit, applied early: megabytes of embeds are not worth parsing.
  if (Array.isArray(json.embeds) && json.embeds.length > EMBED_LIMITS.embeds) throw tooManyEmbeds();
  return requireValid(readJson<T>(form, json));
}
