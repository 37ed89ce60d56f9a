import { describe, expect, it } from 'vitest';
import type { Operation } from '../../generate/openapi.ts';
import { sendableOf } from '../../generate/sendable.ts';
import { missingParameters, prepareAddress } from '../../src/docs/send/prepare-address.ts';
import { readAnswer } from '../../src/docs/send/read-answer.ts';
import type { Sendable } from '../../src/docs/send/sendable.ts';

const OPERATION: Operation = {
  operationId: 'listMessages',
  tags: [],
  tag: 'Channels',
  summary: '',
  method: 'GET',
  path: '/channels/{channel_id}/messages',
  parameters: [
    { name: 'channel_id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Snowflake' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
  ],
  responses: {},
  'x-credentials': ['session', 'bot'],
};

const SENDABLE: Sendable = {
  path: OPERATION.path,
  takes_session: true,
  parameters: [
    { name: 'channel_id', in: 'path', is_required: true, type: 'snowflake' },
    { name: 'limit', in: 'query', is_required: false, type: 'integer' },
  ],
};

describe('the page sends', () => {
  it.each([
    ['a change', { method: 'POST' }],
    ['an operation of bots alone', { 'x-credentials': ['bot'] }],
    ['a route with a webhook’s token', { 'x-credentials': ['webhook'] }],
    ['a poll that uses up its ticket', { operationId: 'pollIpAuthorization', 'x-credentials': ['none'] }],
    ['a redirect to consent', { operationId: 'authorize', 'x-credentials': ['none', 'session'] }],
  ])('never %s', (_, difference) => {
    expect(sendableOf({ ...OPERATION, ...difference })).toBeUndefined();
  });

  it('requests that read, with the session only where one is accepted', () => {
    expect(sendableOf(OPERATION)).toEqual(SENDABLE);
    expect(sendableOf({ ...OPERATION, 'x-credentials': ['none'] })?.takes_session).toBe(false);
  });

  it('to an address in which no value leaves its place', () => {
    const values = { channel_id: ' a?b#c/%2e ', limit: '5&x=1' };
    expect(prepareAddress(SENDABLE, values)).toBe(
      '/api/v1/channels/a%3Fb%23c%2F%252e/messages?limit=5%26x%3D1',
    );
    expect(prepareAddress(SENDABLE, { channel_id: '1', limit: ' ' })).toBe('/api/v1/channels/1/messages');
  });

  it('only with the required parameters', () => {
    expect(missingParameters(SENDABLE, { channel_id: ' ' })).toEqual(['channel_id']);
    expect(missingParameters(SENDABLE, { channel_id: '..' }), 'a browser would leave the path').toEqual([
      'channel_id',
    ]);
    expect(missingParameters(SENDABLE, { channel_id: '1' })).toEqual([]);
  });
});

describe('an answer', () => {
  it('shows the headers of limits, and the body indented', () => {
    const headers = new Headers({ 'x-ratelimit-limit': '100', 'x-request-id': 'r', server: 's' });
    expect(readAnswer({ status: 200, headers }, '{"a":1}')).toEqual({
      status: 200,
      headers: [
        ['X-RateLimit-Limit', '100'],
        ['X-Request-Id', 'r'],
      ],
      body: '{\n  "a": 1\n}',
      error: undefined,
      problems: {},
    });
  });

  it('has the messages of an error by parameter', () => {
    const body = {
      code: 'INVALID_FORM_BODY',
      message: 'no',
      errors: [{ path: 'limit', code: 'X', message: 'Too much.' }, null],
    };
    const answer = readAnswer({ status: 400, headers: new Headers() }, JSON.stringify(body));
    expect(answer.error).toEqual({ code: 'INVALID_FORM_BODY', message: 'no' });
    expect(answer.problems.limit).toBe('Too much.');
  });

  it('may be a proxy’s page, be empty, or be too long to show', () => {
    const read = (text: string) => readAnswer({ status: 502, headers: new Headers() }, text);
    expect(read('<html>')).toMatchObject({ body: '<html>', error: undefined });
    expect(read('null')).toMatchObject({ body: 'null', error: undefined });
    expect(read('x'.repeat(60_000)).body).toHaveLength(50_000 + '\n… (60000 characters in all)'.length);
  });
});
