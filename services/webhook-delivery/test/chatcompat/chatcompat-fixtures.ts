import type { Fault } from '@gatehouse/kit/fault';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { type ChatcompatMessage, renderChatcompat } from '../../src/chatcompat/render.ts';

export function messageOf(payload: Record<string, unknown>): ChatcompatMessage | undefined {
  const rendering = renderChatcompat(payload);
  return 'message' in rendering ? rendering.message : undefined;
}

export function embedsOf(...attachments: unknown[]): EmbedInput[] {
  return messageOf({ attachments })?.embeds ?? [];
}

export function violationsOf(payload: Record<string, unknown>): string[] {
  try {
    renderChatcompat(payload);
  } catch (error) {
    return (error as Fault).violations.map(({ path, code }) => `${path} ${code}`);
  }
  return [];
}

/** An empty embed. */
export const EMPTY_EMBED = {
  title: null,
  description: null,
  url: null,
  color: null,
  timestamp: null,
  author: null,
  footer: null,
  image: null,
  thumbnail: null,
  fields: [],
};
