import { randomBytes } from 'node:crypto';
import type { Api } from '../../support/api.ts';
import { expectOk } from '../../support/expect-status.ts';
import type { SessionAnswer } from '../../support/objects.ts';
import type { SharedStack } from '../../support/stack.ts';
import type { ExampleSender } from '../example-sender.ts';

/** The password in the examples. */
export const PASSWORD = 'correct horse battery staple';

/** An account of the stories. */
export interface Character {
  readonly id: string;
  readonly email: string;
  /** Its session, as an Authorization header. */
  readonly as: string;
  readonly api: Api;
}

/** What the stories share: the stack, the examples, and the people whom they need beside Ann, who is in the examples. */
export interface World {
  readonly stack: SharedStack;
  /** The stack from the address of the examples. */
  readonly api: Api;
  readonly examples: ExampleSender;
}

/** Registers an account with the password of the examples. */
export async function newCharacter({ api }: World): Promise<Character> {
  const username = `u_${randomBytes(6).toString('hex')}`;
  const email = `${username}@example.com`;
  const body = { email, username, password: PASSWORD };
  const { token, user_id: id } = await expectOk<SessionAnswer>(api.post('/auth/register', body));
  return { id, email, as: `Bearer ${token}`, api: api.as(`Bearer ${token}`) };
}
