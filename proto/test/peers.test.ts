import { readFileSync } from 'node:fs';
import { CALLS, PEERS, peerRules, THE_OTHERS } from '@gatehouse/proto/peers';
import { describe, expect, it } from 'vitest';

/** The rows of the table in ARCHITECTURE.md that has these headings, as cells. */
function documentedCalls(): string[][] {
  const lines = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8').split('\n');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const first = lines.findIndex((line) => cells(line).join() === 'From,To,RPCs,Caller,For');
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return lines.slice(first + 2, last).map(cells);
}

describe('the calls between processes', () => {
  it('are those of the table in ARCHITECTURE.md, in its order', () => {
    const documented = documentedCalls().map(([from, to, rpcs, caller]) => ({ from, to, rpcs, caller }));
    expect(documented).toEqual(
      CALLS.map(({ from, to, rpcs, names_caller }) => ({
        from,
        to,
        rpcs: rpcs === THE_OTHERS ? rpcs : rpcs.map((rpc) => `\`${rpc}\``).join(', '),
        caller: names_caller ? 'yes' : '',
      })),
    );
    for (const [, , , , purpose] of documentedCalls()) expect(purpose).not.toBe('');
  });

  it('that hand out tokens, users or trails are nobody’s but theirs', () => {
    const auth = '/gatehouse.auth.v1.AuthService';
    const mayCall = (rpc: string) => PEERS.filter((peer) => peerRules('auth').allows(peer, `${auth}/${rpc}`));
    expect(mayCall('CreateBot')).toEqual(['oauth2']);
    expect(mayCall('GetUsers')).toEqual(['chat', 'oauth2', 'webhook-delivery', 'realtime']);
    expect(mayCall('ListSecurityEvents')).toEqual(['operator']);
    expect(mayCall('Identify')).toEqual(['gateway', 'realtime']);
    expect(peerRules('auth').allows('gateway', '/elsewhere.v1.AuthService/Identify')).toBe(false);
    expect(peerRules('auth').allows('stranger', `${auth}/Identify`)).toBe(false);
  });

  it('by Envoy in front of the edge are what it asks before a webhook is executed, and no other', () => {
    expect(CALLS.filter(({ from }) => from === 'envoy')).toMatchObject([
      { to: 'ratelimit', rpcs: ['ShouldRateLimit'], names_caller: false },
    ]);
  });

  it('that read the event log are nobody’s but its readers’', () => {
    const chat = '/gatehouse.chat.v1.ChatService';
    for (const rpc of ['ReadEvents', 'GetEvents', 'GetGuildStates'])
      expect(PEERS.filter((peer) => peerRules('chat').allows(peer, `${chat}/${rpc}`))).toEqual([
        'realtime',
        'operator',
      ]);
  });

  it('say on whose behalf they are made only from the edge, and where chat judges the caller', () => {
    const chat = '/gatehouse.chat.v1.ChatService';
    const mayName = (rpc: string) =>
      PEERS.filter((peer) => peerRules('chat').mayNameCaller(peer, `${chat}/${rpc}`));
    expect(mayName('CreateMessage')).toEqual(['gateway']);
    expect(mayName('AuthorizeWebhooks')).toEqual(['webhook-delivery']);
    expect(mayName('CreateWebhookMessage')).toEqual([]);
  });
});
