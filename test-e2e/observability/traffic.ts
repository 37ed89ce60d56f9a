import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { freshAddress, newcomer, newWebhook } from '../support/people.ts';
import { png } from '../support/png.ts';
import { gatewayTraffic } from './gateway-traffic.ts';

/**
 * Traffic for every metric, including refused and failed requests, and WebSockets through each of `gateways` (URLs
 * without a path). Returns a function that causes one round.
 */
export async function openTraffic(api: Api, gateways: readonly string[]): Promise<() => Promise<void>> {
  const hook = await newWebhook(api);
  const { owner } = hook;
  let rounds = 0;
  return async () => {
    rounds += 1;
    const stranger = api.from(freshAddress());
    const guest = await newcomer(api);
    const { email, password } = guest;
    expect((await stranger.post('/auth/login', { email, password })).status).toBe(200);
    expect((await stranger.post('/auth/login', { email, password: 'not the password' })).status).toBe(400);
    await stranger.post('/auth/forgot', { email });
    await guest.api.post('/auth/logout', {});
    await owner.api.get('/channels/1');
    const avatar = `data:image/png;base64,${png(4, rounds).toString('base64')}`;
    await owner.api.send('PATCH', '/users/@me', { body: { avatar } });
    await hook.execute({ content: '' });
    await hook.messages();
    for (const url of gateways) await gatewayTraffic(url, hook);
    // More than the bucket allows.
    const executions = Array.from({ length: 70 }, () => hook.execute({ content: 'x' }));
    for (const { status } of await Promise.all(executions)) expect([204, 429]).toContain(status);
  };
}
