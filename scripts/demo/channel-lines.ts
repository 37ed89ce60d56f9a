import { embedLines } from '@gatehouse/cli/commands/webhooks/message-text';
import { stripControls } from '@gatehouse/cli/output/printable';
import type { Channel, Guild, Message } from './api-objects.ts';

/** The messages of a channel. Consecutive repetitions of a message are shown once. */
export function channelLines(guild: Guild, channel: Channel, messages: readonly Message[]): string[] {
  const shown = messages.filter((message, n) => !isRepeated(message, messages[n - 1]));
  return [`${guild.name} #${channel.name}`, ...shown.flatMap(messageLines)].map(stripControls);
}

function isRepeated({ author, content, embeds }: Message, before: Message | undefined): boolean {
  return embeds.length === 0 && author.username === before?.author.username && content === before.content;
}

function messageLines({ author, content, timestamp, embeds }: Message): string[] {
  const name = `${author.global_name ?? author.username}${author.bot ? ' BOT' : ''}`;
  return [`${timestamp.slice(11, 19)} ${name}: ${content}`.trimEnd(), ...embeds.flatMap(embedLines)];
}
