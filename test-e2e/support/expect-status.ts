import { expect } from 'vitest';
import type { Reply } from './api.ts';

/** Expects 200. Returns the body. */
export function bodyOf<T>(reply: Reply): T {
  expect(reply.status, reply.text).toBe(200);
  return reply.json<T>();
}

/** Waits for a reply, and expects 200. Returns the body. */
export async function expectOk<T>(reply: Promise<Reply>): Promise<T> {
  return bodyOf(await reply);
}

/** Waits for a reply, and expects an empty 204. */
export async function expectNoContent(reply: Promise<Reply>): Promise<void> {
  const { status, text } = await reply;
  expect([status, text]).toEqual([204, '']);
}
