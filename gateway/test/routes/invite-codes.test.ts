import { describe, expect, it } from 'vitest';
import { useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';

describe('the code of an invite', () => {
  const edge = useEdge();
  const headers = { authorization: `Bearer ${SESSION}` };

  it.each(['GET', 'POST', 'DELETE'])('%s: of 10,000 characters is passed on to chat', async (verb) => {
    const code = 'A'.repeat(10_000);
    expect((await edge.send(`${verb} /invites/${code}`, { headers })).status).toBeLessThan(300);
    expect(edge.peers.calls.at(-1)?.request).toMatchObject({ code });
  });

  it.each(['GET', 'POST', 'DELETE'])('%s: with NUL is refused at its parameter', async (verb) => {
    const answer = await edge.send(`${verb} /invites/AAAA%00AAA`, { headers });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'INVALID_FORM_BODY', errors: [{ path: 'code' }] });
  });
});
