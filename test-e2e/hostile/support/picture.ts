import { randomFillSync } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import type { CurrentUser } from '../../support/objects.ts';
import { newcomer } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** 1,860 × 1,860 pixels of three random bytes are just below 10 MiB, as noise does not compress. */
const SIDE = 1_860;

/** Gives an account an avatar of maximum size, stored in 500 KiB; returns its path. */
export async function openPicture({ api }: TestStack): Promise<string> {
  const owner = await newcomer(api);
  const avatar = noise(SIDE).toString('base64');
  const reply = await owner.api.send('PATCH', '/users/@me', { body: { avatar } });
  expect(reply.status, reply.text.slice(0, 500)).toBe(200);
  return `/media/avatars/${owner.user.id}/${reply.json<CurrentUser>().avatar}`;
}

/** A PNG of noise. */
function noise(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8); // eight bits, RGB
  const rows = randomFillSync(Buffer.alloc(side * (1 + side * 3)));
  for (let row = 0; row < side; row++) rows[row * (1 + side * 3)] = 0; // no filter
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 0 })), chunk('IEND')];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)]);
}
