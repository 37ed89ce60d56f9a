import type { RealtimeFixture } from './realtime-fixture.ts';

/** Posts messages to a channel, rotating through these accounts. */
export interface Posts {
  /** Posts all at once. Returns the messages' IDs. */
  post(messages: number): Promise<readonly string[]>;
}

/** A message of typical length. */
export const BODY = JSON.stringify({
  content: 'What people say to each other is about as long as this sentence.',
});

export function posts(
  { api }: Pick<RealtimeFixture, 'api'>,
  channel: string,
  tokens: readonly string[],
): Posts {
  let next = 0;

  async function postOne(): Promise<string> {
    const token = tokens[next++ % tokens.length];
    const response = await fetch(`${api}/channels/${channel}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: BODY,
    });
    if (!response.ok) throw new Error(`a post was answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  }

  return { post: (messages) => Promise.all(Array.from({ length: messages }, postOne)) };
}
