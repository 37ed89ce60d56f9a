import type { Api } from '../../support/api.ts';
import type { WebhookFixture } from '../../support/people.ts';

export const repository = {
  full_name: 'acme/rocket',
  name: 'rocket',
  html_url: 'https://code.example/acme/rocket',
};
const star = { action: 'started', repository };

/** Sends a code-host event. Default: a star. */
export function postDelivery(
  api: Api,
  hook: WebhookFixture,
  delivery: string,
  event = 'watch',
  payload: unknown = star,
) {
  const headers = { 'x-codehost-event': event, 'x-codehost-delivery': delivery };
  return api.post(`${hook.path}/codehost`, payload, headers);
}
