import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { lastRequest, useEdge } from '../support/edge.ts';
import { expectForm } from '../support/expect-form.ts';
import { SESSION } from '../support/peers.ts';
import { raw, request } from '../support/wire.ts';

const headers = { authorization: `Bearer ${SESSION}` };

describe('an ID is refused at its parameter if it is', () => {
  const edge = useEdge();
  const WRONG = [
    ...[
      '',
      ' ',
      '+1',
      '-1',
      '01',
      '00',
      '1 ',
      '1.0',
      '1e3',
      '0x1',
      'abc',
      '１',
      '@me',
      '..',
      '%',
      '1%',
      '%zz',
      '%ff',
    ],
    ...[
      '9223372036854775808',
      '99999999999999999999',
      '9'.repeat(129),
      '9'.repeat(60_000),
      'é',
      '\0',
      '1\0',
      '1/2',
    ],
    ...['1,2', '1;2', '%31', '1%2531', '1?', '1#', '\u2028', '%E2%82', '%C0%80', '%u0031'],
  ];

  it.each(WRONG.map((id) => [encodeURIComponent(id).slice(0, 30), id]))('"%s" in the path', async (_, id) => {
    const answer = await edge.send(`GET /guilds/${encodeURIComponent(id)}/channels`, { headers });
    expectForm(answer, { guild_id: 'INVALID_SNOWFLAKE_FORMAT' });
  });

  const RAW = [
    '%',
    '1%',
    '%zz',
    '%ff',
    '%E2%82',
    '%C0%80',
    '%u0031',
    '%2',
    '1%00',
    '%2F',
    '%2f..%2f',
    '@me',
    ';',
    "'",
  ];
  it.each(RAW)('%s, as it stands in the path', async (id) => {
    const lines = [`Authorization: Bearer ${SESSION}`];
    expectForm(await raw(edge, request(`GET /guilds/${id}/channels`, lines)), {
      guild_id: 'INVALID_SNOWFLAKE_FORMAT',
    });
  });

  it('badly encoded, next to a valid part of the path and a valid query', async () => {
    const lines = [`Authorization: Bearer ${SESSION}`];
    expectForm(await raw(edge, request('GET /channels/%32%31/messages/%zz', lines)), {
      message_id: 'INVALID_SNOWFLAKE_FORMAT',
    });
    expectForm(await raw(edge, request('GET /channels/%zz/messages?limit=%35', lines)), {
      channel_id: 'INVALID_SNOWFLAKE_FORMAT',
    });
    const good = await raw(edge, request('GET /channels/%32%31/messages?before=%37&x=%zz', lines));
    expect([good.status, lastRequest(edge)]).toEqual([
      200,
      { channel_id: '21', before: '7', after: null, limit: null, around: null, as_json: true },
    ]);
  });

  it('in the query, in the body and deep in the body', async () => {
    const query = await edge.send('GET /channels/21/messages?before=0x1&after=', { headers });
    expectForm(query, { before: 'INVALID_SNOWFLAKE_FORMAT', after: 'INVALID_SNOWFLAKE_FORMAT' });
    const body = { content: 'x', allowed_mentions: { users: ['1', '01', 7.5, 7], roles: ['-1'] } };
    expectForm(await edge.send('POST /channels/21/messages', { headers, body }), {
      'allowed_mentions.users.1': 'INVALID_SNOWFLAKE_FORMAT',
      'allowed_mentions.users.2': 'INVALID_SNOWFLAKE_FORMAT',
      'allowed_mentions.roles.0': 'INVALID_SNOWFLAKE_FORMAT',
    });
  });

  it('in any route, at any of its IDs', async () => {
    for (const route of ROUTES) {
      const ids = route.params.filter((param) => param.endsWith('_id'));
      const path = route.path.replaceAll(/\{\w+_id\}/g, '0x1').replaceAll(/\{\w+\}/g, 't');
      const body = route.body === 'none' ? {} : { body: {} };
      const answer = await edge.send(`${route.verb} ${path}`, { headers, ...body });
      if (ids.length === 0) continue;
      const paths = answer.json<{ errors: { path: string }[] }>().errors.map((error) => error.path);
      expect(paths, `${route.verb} ${route.path}`).toEqual(expect.arrayContaining(ids));
    }
  });
});
