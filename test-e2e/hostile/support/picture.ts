import { expect } from 'vitest';
import type { CurrentUser } from '../../support/objects.ts';
import { newcomer } from '../../support/people.ts';
import { noisePng } from '../../support/png.ts';
import type { TestStack } from '../../support/stack.ts';

/** 1,860 × 1,860 pixels of three random bytes are just below 10 MiB, as noise does not compress. */
const SIDE = 1_860;

/** Gives an account an avatar of maximum size, stored in 500 KiB; returns its path. */
export async function openPicture({ api }: TestStack): Promise<string> {
  const owner = await newcomer(api);
  const avatar = noisePng(SIDE).toString('base64');
  const reply = await owner.api.send('PATCH', '/users/@me', { body: { avatar } });
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  return `/media/avatars/${owner.user.id}/${reply.json<CurrentUser>().avatar}`;
}
