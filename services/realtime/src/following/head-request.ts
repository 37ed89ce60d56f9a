import { anonymous, type Client } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';

const TIMEOUT_MS = 1_000;

/**
 * Asks chat for the head of its log, so that the next response comes at once: while chat has no events, its responses are
 * further apart than requested (docs/events.md#silence). One request serves all that wait; if its replica hangs, they
 * wait for the next response of an idle log.
 */
export class HeadRequest {
  readonly #chat: Client<typeof ChatServiceDefinition>;
  readonly #silence_ms: number;
  #isSent = false;

  constructor(chat: Client<typeof ChatServiceDefinition>, silence_ms: number) {
    this.#chat = chat;
    this.#silence_ms = silence_ms;
  }

  /** Asks if `waiting` has not settled by the time of a regular response. */
  afterSilence(waiting: Promise<unknown>): void {
    const timer = setTimeout(() => void this.#send(), this.#silence_ms);
    const end = (): void => clearTimeout(timer);
    waiting.then(end, end);
  }

  async #send(): Promise<void> {
    if (this.#isSent) return;
    this.#isSent = true;
    try {
      await this.#chat.getGuildStates(
        { guild_ids: [], account_ids: [] },
        { timeoutMs: TIMEOUT_MS, caller: anonymous },
      );
    } catch {
      // The response comes later, or the caller gives up.
    } finally {
      this.#isSent = false;
    }
  }
}
