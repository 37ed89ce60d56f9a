import { messageSchema } from '@gatehouse/kit/json';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../src/route.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { messageName } from '../../src/service-definitions.ts';
import { lastRequest, useEdge } from '../support/edge.ts';
import { expectForm } from '../support/expect-form.ts';
import { SESSION } from '../support/peers.ts';

const headers = { authorization: `Bearer ${SESSION}` };

describe('GET /guilds/{guild_id}/audit-logs', () => {
  const edge = useEdge();
  const get = (query = '') => edge.send(`GET /guilds/11/audit-logs${query}`, { headers });

  it('takes its filters from the query', async () => {
    const empty = {
      guild_id: '11',
      user_id: null,
      action_type: null,
      before: null,
      after: null,
      limit: null,
    };
    await get();
    expect(lastRequest(edge)).toEqual(empty);
    await get('?user_id=7&action_type=25&before=9&after=8&limit=3');
    expect(lastRequest(edge)).toEqual({
      ...empty,
      user_id: '7',
      action_type: 25,
      before: '9',
      after: '8',
      limit: 3,
    });
  });

  it('refuses filters that are not numbers', async () => {
    expectForm(await get('?user_id=x&action_type=kick&before=-1&after=01&limit=1.5'), {
      user_id: 'INVALID_SNOWFLAKE_FORMAT',
      action_type: 'VALUE_MUST_BE_INTEGER_IN_RANGE',
      before: 'INVALID_SNOWFLAKE_FORMAT',
      after: 'INVALID_SNOWFLAKE_FORMAT',
      limit: 'VALUE_MUST_BE_INTEGER_IN_RANGE',
    });
  });

  it('answers with JSON values of any type, and omits absent ones', async () => {
    const entry = { id: '1', action_type: 25, user_id: '7', target_id: null };
    edge.peers.answers = {
      chat: {
        listAuditLog: () => ({
          audit_log_entries: [
            {
              ...entry,
              reason: 'r',
              options: '{"role_name":"x"}',
              changes: [
                { key: 'hoist', old_value: 'true', new_value: 'false' },
                { key: 'nick', old_value: '"a"', new_value: null },
                { key: '$add', old_value: null, new_value: '[{"id":"1"}]' },
              ],
            },
            { ...entry, reason: null, options: null, changes: [] },
          ],
          users: [],
          webhooks: [],
        }),
      },
    };
    expect((await get()).json()).toEqual({
      audit_log_entries: [
        {
          ...entry,
          reason: 'r',
          options: { role_name: 'x' },
          changes: [
            { key: 'hoist', old_value: true, new_value: false },
            { key: 'nick', old_value: 'a' },
            { key: '$add', new_value: [{ id: '1' }] },
          ],
        },
        entry,
      ],
      users: [],
      webhooks: [],
    });
  });
});

describe('X-Audit-Log-Reason', () => {
  const edge = useEdge();
  const rename = (reason?: string) =>
    edge.send('PATCH /guilds/11', {
      headers: { ...headers, ...(reason !== undefined && { 'X-Audit-Log-Reason': reason }) },
      body: { name: 'x', reason: 'of the body' },
    });

  it('is passed on unchanged, and no member of the body replaces it', async () => {
    await rename('%F0%9F%99%82%20100%');
    expect(lastRequest(edge)).toMatchObject({ guild_id: '11', name: 'x', reason: '%F0%9F%99%82%20100%' });
    await rename();
    expect(lastRequest(edge)).toMatchObject({ name: 'x', reason: null });
  });

  it('may be sent as UTF-8 that is not encoded', async () => {
    await rename(Buffer.from('für 🙂').toString('latin1'));
    expect(lastRequest(edge)).toMatchObject({ reason: 'für 🙂' });
    await rename('f\u00fcr'); // Latin-1, as its one byte is no UTF-8
    expect(lastRequest(edge)).toMatchObject({ reason: 'für' });
  });

  it('is read by every route whose change an audit log records', () => {
    const lines = ROUTES.filter((route) => fieldsOf(route).includes('reason'));
    expect(lines.length).toBeGreaterThan(10);
    for (const { verb, path, headers: taken } of lines)
      expect(taken, `${verb} ${path}`).toEqual({ 'x-audit-log-reason': 'reason' });
  });
});

function fieldsOf(route: Route): string[] {
  return messageSchema(messageName(route, 'Request')).fields.map(({ name }) => name);
}
