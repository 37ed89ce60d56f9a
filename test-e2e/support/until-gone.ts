import { until } from '@gatehouse/dev-env/until';
import type { Api } from './api.ts';

/** Webhook-delivery learns of a deleted channel at once, or within seconds after an outage. */
const TIMEOUT_MS = 20_000;

/** Waits until a webhook's URL is 404. */
export function untilGone(api: Api, path: string): Promise<true> {
  return until('the webhook is gone', TIMEOUT_MS, async () => {
    const { status } = await api.get(path);
    return status === 404 ? true : undefined;
  });
}
