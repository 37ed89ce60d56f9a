import { describeRow } from '@gatehouse/cli/commands/routes/describe-row';
import { ROUTES } from '@gatehouse/gateway/routes';
import { useEdge } from '@gatehouse/gateway/testing/edge';
import { BOT, SESSION } from '@gatehouse/gateway/testing/peers';
import { describe, expect, it } from 'vitest';
import { derivedBody } from './derived-body.ts';
import { exampleRequest } from './example-request.ts';
import { EXAMPLES } from './examples.ts';

const SECRETS = { session: SESSION, bot: BOT, webhook: 'tok', mail: 'tok' };

describe('an example of gateway/openapi.json', () => {
  const edge = useEdge();

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))('is taken: %s', async (_, row) => {
    const { verb, target, headers, body } = exampleRequest(row, SECRETS);
    const sent = body === undefined ? { headers } : { headers, body };
    const { status } = await edge.send(`${verb} ${target}`, sent);
    expect(describeRow(row).status).toContain(status);
    expect(edge.peers.calls.at(-1)).toMatchObject({ service: row.service, rpc: row.rpc });
  });

  it('belongs to an existing route', () => {
    const rpcs = ROUTES.map(({ service, rpc }) => `${service}.${rpc}`);
    expect(rpcs).toEqual(expect.arrayContaining(Object.keys(EXAMPLES)));
  });

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))(
    'has a body where the route takes one, written or derived: %s',
    (_, row) => {
      expect(exampleRequest(row, SECRETS).body !== undefined).toBe(row.body !== 'none');
      expect(derivedBody(row) !== undefined).toBe(row.body !== 'none');
    },
  );

  it.each(ROUTES.map((row) => [`${row.verb} ${row.path}`, row] as const))(
    'may be derived from the contract: the edge takes that too on %s',
    async (_, row) => {
      const { verb, target, headers } = exampleRequest(row, SECRETS);
      const body = derivedBody(row);
      const options = body === undefined ? { headers } : { headers, body };
      expect(describeRow(row).status).toContain((await edge.send(`${verb} ${target}`, options)).status);
    },
  );
});
