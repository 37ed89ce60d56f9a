import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { useEdge } from '../support/edge.ts';
import { charged, SESSION } from '../support/peers.ts';
import { currentUser } from '../support/samples.ts';
import { CLIENT, EXPECTED } from './route-bucket-table.ts';

describe('the buckets of each route', () => {
  const edge = useEdge();

  it('are held for routes that there are, each once', () => {
    const lines = ROUTES.map(({ verb, path }) => `${verb} ${path}`);
    const held = EXPECTED.map(([line]) => line);
    expect(lines).toEqual(expect.arrayContaining(held));
    expect(new Set(held).size).toBe(held.length);
  });

  it.each(EXPECTED)('%s', async (line, global, own) => {
    const account = { ...currentUser, email: 'of@the.account' };
    edge.peers.answers.auth = { getCurrentUser: () => ({ user: account }) };
    await edge.send(line.replaceAll(/\{\w+\}/g, '7'), {
      headers: { authorization: `Bearer ${SESSION}` },
      ...(line.startsWith('POST') ? { body: { email: ' Ann@example.com' } } : {}),
    });
    const [first, ...rest] = charged(edge.peers);
    expect(global ? first : undefined).toEqual(global ? [`global ${CLIENT}`] : undefined);
    const sets = global ? rest : [first ?? []];
    expect(sets.map((set) => [...set].sort())).toEqual(own.length === 0 ? [] : [[...own].sort()]);
  });
});
