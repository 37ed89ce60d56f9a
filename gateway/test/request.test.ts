import { describe, expect, it } from 'vitest';
import { lastRequest, useEdge } from './support/edge.ts';
import { expectForm } from './support/expect-form.ts';
import { SESSION } from './support/peers.ts';
import { raw, request } from './support/wire.ts';

const headers = { authorization: `Bearer ${SESSION}` };

describe('the request message', () => {
  const edge = useEdge();
  const sent = () => lastRequest(edge);

  it('takes the path’s parameters', async () => {
    await edge.send('GET /channels/21/messages/31', { headers });
    expect(sent()).toEqual({ channel_id: '21', message_id: '31' });
    await edge.send('GET /channels/%32%31/messages/9223372036854775807', { headers });
    expect(sent()).toEqual({ channel_id: '21', message_id: '9223372036854775807' });
    await edge.send('GET /webhooks/0/a%2Fb%20c%C3%A9+');
    expect(sent()).toEqual({ webhook_id: '0', token: 'a/b cé+' });
  });

  it('takes the query’s parameters: the first of repeated ones, no unknown ones', async () => {
    const ask = async (query: string) => {
      expect((await edge.send(`GET /channels/21/messages${query}`, { headers })).status).toBe(200);
      return sent();
    };
    const page = { before: null, after: null, limit: null, around: null };
    const empty = { channel_id: '21', ...page, as_json: true };
    expect(await ask('')).toEqual(empty);
    expect(await ask('?')).toEqual(empty);
    expect(await ask('?limit=5&before=7')).toEqual({ ...empty, limit: 5, before: '7' });
    expect(await ask('?limit=5&limit=7&before=1&before=x')).toEqual({ ...empty, limit: 5, before: '1' });
    expect(await ask('?%6Cimit=%35')).toEqual({ ...empty, limit: 5 });
    expect(await ask('?LIMIT=5&limit[]=6&x=%zz&__proto__=1&channel_id=22&as_json=false&toString=1')).toEqual(
      empty,
    );
  });

  it('takes one Authorization header, and none of two', async () => {
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const basic = 'Authorization: Basic MTI6cw==';
    for (const [lines, authorization] of [
      [[basic], 'Basic MTI6cw=='],
      [[basic, basic], null],
      [[basic, 'authorization: Bearer x'], null],
    ] as const) {
      await raw(edge, request('POST /oauth2/introspect', [type, ...lines], 'token=x'));
      expect(sent()).toMatchObject({ authorization, body: Buffer.from('token=x') });
    }
  });

  it('takes the route’s headers, and the body’s bytes unchanged', async () => {
    const bytes = Buffer.from([0, 255, 1, 123]);
    await edge.send('POST /webhooks/41/tok/codehost', {
      headers: {
        'Content-Type': 'application/JSON; x=1',
        'X-Codehost-Event': 'push',
        'x-codehost-delivery': 'd-1',
      },
      body: bytes,
    });
    expect(sent()).toEqual({
      webhook_id: '41',
      token: 'tok',
      content_type: 'application/JSON; x=1',
      event: 'push',
      delivery: 'd-1',
      body: bytes,
    });
    const long = Buffer.alloc(200_000, 7);
    await edge.send('POST /webhooks/41/tok/codehost', {
      headers: { 'x-codehost-event': 'push' },
      body: long,
    });
    expect(sent()).toMatchObject({ webhook_id: '41', token: 'tok', event: 'push', body: long });
    await edge.send('POST /webhooks/41/tok?wait=1');
    expect(sent()).toEqual({
      webhook_id: '41',
      token: 'tok',
      wait: '1',
      content_type: null,
      body: new Uint8Array(),
    });
  });

  it('takes the body’s members; null, missing and empty lists are one', async () => {
    const post = async (body: object | string) => {
      expect((await edge.send('POST /channels/21/messages', { headers, body })).status).toBe(200);
      return sent();
    };
    const empty = {
      channel_id: '21',
      content: null,
      embeds: [],
      flags: null,
      allowed_mentions: null,
      nonce: null,
    };
    expect(await post({})).toEqual(empty);
    expect(await post({ content: null, embeds: null, flags: null, allowed_mentions: null })).toEqual(empty);
    expect(await post('\ufeff {"content":"é𝕏"}\r\n')).toEqual({ ...empty, content: 'é𝕏' });
    expect(await post({ content: '', flags: -4, embeds: [{ title: 't', color: 1 }] })).toMatchObject({
      content: '',
      flags: -4,
      embeds: [{ title: 't', color: 1, description: null, fields: [] }],
    });
  });

  it('ignores unknown members of any type', async () => {
    const body =
      '{"content":"x","unknown":{"deep":[{}]},"__proto__":{"content":"no"},"constructor":1,"toString":null,"embeds":[{"a":1}]}';
    expect((await edge.send('POST /channels/21/messages', { headers, body })).status).toBe(200);
    expect(sent()).toMatchObject({ content: 'x', embeds: [{ title: null }] });
  });

  it('lets no member of the body replace the path, the query or a header', async () => {
    const body = { channel_id: '99', content: 'x', name: 'n' };
    await edge.send('POST /channels/21/messages', { headers, body });
    expect(sent()).toMatchObject({ channel_id: '21' });
    await edge.send('POST /channels/21/webhooks', { headers, body: { ...body, channel_id: 'no ID' } });
    expect(sent()).toMatchObject({ channel_id: '21', name: 'n' });
    expectForm(await edge.send('POST /channels/0x1/messages', { headers, body }), {
      channel_id: 'INVALID_SNOWFLAKE_FORMAT',
    });
  });

  it.each<[string, string | Uint8Array | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['blank', ' \n'],
    ['broken', '{"name":'],
    ['an array', '[{"name":"x"}]'],
    ['null', 'null'],
    ['text', '"x"'],
    ['a number', '7'],
    ['a form', 'name=x'],
    ['two objects', '{"name":"x"}{}'],
    ['not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ])('of a JSON route refuses a body that is %s, whatever its content type', async (_, body) => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'a/b; "']) {
      const options = {
        headers: { ...headers, 'content-type': type },
        ...(body === undefined ? {} : { body }),
      };
      expectForm(await edge.send('POST /guilds', options), { body: 'INVALID_FORMAT' });
    }
  });

  it('takes JSON under any content type or none', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
    ]) {
      const options = { headers: { ...headers, 'content-type': type }, body: { name: 'x' } };
      expect((await edge.send('POST /guilds', options)).status).toBe(200);
    }
    expect((await edge.send('POST /guilds', { headers, body: { name: 'x' } })).status).toBe(200);
  });

  it('names every violation at its place', async () => {
    const body = {
      content: 7,
      embeds: [{ title: {} }, 'x', { color: 'red', fields: {} }],
      flags: 1.5,
      nonce: 'a\0',
    };
    expectForm(await edge.send('POST /channels/x/messages', { headers, body }), {
      channel_id: 'INVALID_SNOWFLAKE_FORMAT',
      content: 'INVALID_FORMAT',
      'embeds.0.title': 'INVALID_FORMAT',
      'embeds.1': 'INVALID_FORMAT',
      'embeds.2.color': 'INVALID_FORMAT',
      'embeds.2.fields': 'INVALID_FORMAT',
      flags: 'VALUE_MUST_BE_INTEGER_IN_RANGE',
      nonce: 'INVALID_FORMAT',
    });
    expectForm(await edge.send('POST /channels/x/messages', { headers, body: '{' }), {
      channel_id: 'INVALID_SNOWFLAKE_FORMAT',
      body: 'INVALID_FORMAT',
    });
    expectForm(await edge.send('POST /auth/login', { body: {} }), {
      email: 'INVALID_FORMAT',
      password: 'INVALID_FORMAT',
    });
  });

  it('refuses a NUL in text, and takes half of a surrogate pair as U+FFFD', async () => {
    const named = (text: string) => edge.send('POST /guilds', { headers, body: `{"name":"${text}"}` });
    expectForm(await named('a\\u0000b'), { name: 'INVALID_FORMAT' });
    expect((await named('a\\udc00\\ud800')).status).toBe(200);
    expect(lastRequest(edge)).toMatchObject({ name: 'a\ufffd\ufffd' });
  });

  it('refuses a NUL byte in the path and in the query', async () => {
    expectForm(await edge.send('GET /webhooks/41/a%00'), { token: 'INVALID_FORMAT' });
    expectForm(await edge.send('POST /webhooks/41/tok?wait=%00'), { wait: 'INVALID_FORMAT' });
  });
});
