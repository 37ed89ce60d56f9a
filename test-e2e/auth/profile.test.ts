import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Api, Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { CurrentUser, ErrorBody, User } from '../support/objects.ts';
import { createGuild, createWebhook, newcomer } from '../support/people.ts';
import { useAnyStack } from '../support/stack.ts';

/** Pictures of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const stack = useAnyStack();
const patch = (api: Api, body: unknown) => api.send('PATCH', '/users/@me', { body });
const media = (path: string) => fetch(`${stack.url}/media/${path}`);

/**
 * Leading bytes with format and size. They are equal in the upload and in the stored picture, which has no metadata.
 */
const HEAD_BYTES = { 'image/png': 24, 'image/gif': 10 };

async function expectPicture(path: string, type: keyof typeof HEAD_BYTES, base64: string): Promise<void> {
  const response = await media(path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const head = Buffer.from(await response.arrayBuffer()).subarray(0, HEAD_BYTES[type]);
  expect(head).toEqual(Buffer.from(base64, 'base64').subarray(0, HEAD_BYTES[type]));
}

async function expectNone(path: string): Promise<void> {
  const response = await media(path);
  expect(response.status, path).toBe(404);
  expect(await response.json()).toMatchObject({ error: '404 Not Found', code: 'NOT_FOUND' });
  expect(response.headers.get('cache-control')).toBe('no-store');
}

describe('pictures', () => {
  it('of an account are public until they are replaced or the account is deleted', async () => {
    const { api, user, password } = await newcomer(stack.api);
    const first = (await patch(api, { avatar: PNG, banner: `data:image/gif;base64,${GIF}` })).json<
      CurrentUser & { banner: string }
    >();
    await expectPicture(`avatars/${user.id}/${first.avatar}`, 'image/png', PNG);
    await expectPicture(`banners/${user.id}/${first.banner}`, 'image/gif', GIF);
    await expectNone(`banners/${user.id}/${first.avatar}`);

    const { channel } = await createGuild({ api });
    const said = await api.post(`/channels/${channel.id}/messages`, { content: 'me' });
    expect(said.json<{ author: User }>().author.avatar).toBe(first.avatar);

    const second = (await patch(api, { avatar: GIF })).json<CurrentUser>();
    await expectPicture(`avatars/${user.id}/${second.avatar}`, 'image/gif', GIF);
    await expectNone(`avatars/${user.id}/${first.avatar}`);

    expect((await api.post('/users/@me/delete', { password })).status).toBe(204);
    await expectNone(`avatars/${user.id}/${second.avatar}`);
    await expectNone(`banners/${user.id}/${first.banner}`);
  });

  it('of a webhook are served at the same path as those of accounts', async () => {
    const fixture = await createGuild(await newcomer(stack.api));
    const { webhook } = await createWebhook(fixture, stack.api, { name: 'Build', avatar: PNG });
    const { avatar } = webhook as typeof webhook & { avatar: string };
    await expectPicture(`avatars/${webhook.id}/${avatar}`, 'image/png', PNG);
  });

  it('in an invalid format are refused, and so is an overlong body', async () => {
    const { api } = await newcomer(stack.api);
    for (const avatar of ['', 'nonsense', PNG.slice(0, 40), Buffer.from('<svg/>').toString('base64')]) {
      expectError(await patch(api, { avatar, banner: avatar }), 400, 'INVALID_FORM_BODY', {
        avatar: 'INVALID_FORMAT',
        banner: 'INVALID_FORMAT',
      });
    }
    expectError(await patch(api, { avatar: 7, banner: {} }), 400, 'INVALID_FORM_BODY', {
      avatar: 'INVALID_FORMAT',
      banner: 'INVALID_FORMAT',
    });
    const huge = await patch(api, { avatar: 'A'.repeat(15 * 1024 * 1024) });
    expectError(huge, 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('a profile', () => {
  it('shows others its public fields only', async () => {
    const [one, other] = [await newcomer(stack.api), await newcomer(stack.api)];
    await patch(one.api, { global_name: 'One', bio: 'mine', pronouns: 'they', accent_color: 16 });
    expect((await other.api.get(`/users/${one.user.id}`)).json()).toEqual({
      id: one.user.id,
      username: one.username,
      discriminator: '0',
      global_name: 'One',
      avatar: null,
      bot: false,
    });
    expectError(await other.api.get('/users/1'), 404, 'UNKNOWN_USER');
    expectError(await other.api.get('/users/x1'), 400, 'INVALID_FORM_BODY', {
      user_id: 'INVALID_SNOWFLAKE_FORMAT',
    });
  });

  it('is denied the 26th change of a field in half an hour, as a validation error without Retry-After', async () => {
    const { api } = await newcomer(stack.api);
    for (let n = 1; n <= 25; n += 1) expect((await patient(api, { bio: `bio ${n}` })).status).toBe(200);
    const denied = await patient(api, { bio: 'bio 26', pronouns: 'they' });
    const body = expectError(denied, 400, 'INVALID_FORM_BODY', { bio: 'BIO_CHANGED_TOO_MANY_TIMES' });
    expect(body).not.toHaveProperty('retry_after');
    expect(body.errors?.[0]?.message).toMatch(/in \d+ seconds\.$/);
    expect(denied.headers.has('retry-after')).toBe(false);
    const after = await patient(api, { bio: 'bio 25', pronouns: 'she' });
    expect(after.json()).toMatchObject({ bio: 'bio 25', pronouns: 'she' });
  });
});

/** Changes a profile. Waits and repeats when the route's bucket denies. */
async function patient(api: Api, body: unknown): Promise<Reply> {
  for (;;) {
    const reply = await patch(api, body);
    if (reply.status !== 429) return reply;
    await delay((reply.json<ErrorBody & { retry_after: number }>().retry_after ?? 0) * 1000);
  }
}
