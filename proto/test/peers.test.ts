import { CALLS, PEERS, peerRules } from '@gatehouse/proto/peers';
import { SERVICE_NAMES, serviceNamed } from '@gatehouse/proto/services';
import { describe, expect, it } from 'vitest';

describe('the calls between processes', () => {
  it('of auth are limited to the callers that need them', () => {
    const auth = '/gatehouse.auth.v1.AuthService';
    const mayCall = (rpc: string) => PEERS.filter((peer) => peerRules('auth').allows(peer, `${auth}/${rpc}`));
    expect(mayCall('CreateBot')).toEqual(['oauth2']);
    expect(mayCall('GetUsers')).toEqual(['chat', 'oauth2', 'webhook-delivery', 'realtime']);
    expect(mayCall('ListSecurityEvents')).toEqual(['operator']);
    expect(mayCall('Identify')).toEqual(['gateway', 'realtime']);
    expect(peerRules('auth').allows('gateway', '/elsewhere.v1.AuthService/Identify')).toBe(false);
    expect(peerRules('auth').allows('stranger', `${auth}/Identify`)).toBe(false);
  });

  it('by Envoy in front of the edge are rate-limit checks alone', () => {
    expect(CALLS.filter(({ from }) => from === 'envoy')).toMatchObject([
      { to: 'ratelimit', rpcs: ['ShouldRateLimit'], acts_for_callers: false },
    ]);
  });

  it('that show and run jobs are open to operators at every server, and to nobody else', () => {
    for (const server of SERVICE_NAMES.filter((name) => serviceNamed(name).ports.grpc !== undefined))
      for (const rpc of ['ListJobs', 'RunJob'])
        expect(
          PEERS.filter((peer) => peerRules(server).allows(peer, `/kit.v1.JobsService/${rpc}`)).sort(),
        ).toEqual(['admin', 'console'].filter((peer) => peer !== server));
  });

  it('that read the event log are limited to its readers', () => {
    const chat = '/gatehouse.chat.v1.ChatService';
    for (const rpc of ['ReadEvents', 'GetEvents', 'GetGuildStates'])
      expect(PEERS.filter((peer) => peerRules('chat').allows(peer, `${chat}/${rpc}`))).toEqual([
        'realtime',
        'operator',
      ]);
  });

  it('are made on behalf of callers only by the edge, or if chat checks the caller’s permissions', () => {
    const chat = '/gatehouse.chat.v1.ChatService';
    const actingForCallers = (rpc: string) =>
      PEERS.filter((peer) => peerRules('chat').mayActForCallers(peer, `${chat}/${rpc}`));
    expect(actingForCallers('CreateMessage')).toEqual(['gateway']);
    expect(actingForCallers('AuthorizeWebhooks')).toEqual(['webhook-delivery']);
    expect(actingForCallers('CreateWebhookMessage')).toEqual([]);
  });
});
