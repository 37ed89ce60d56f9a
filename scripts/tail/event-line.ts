import { printableJson, stripControls } from '@gatehouse/cli/output/printable';
import { detailsOf } from './details.ts';
import type { GatewayEvent } from './frames.ts';
import { textOf } from './members.ts';
import type { Names } from './names.ts';

/** The length of the names of most events: MESSAGE_CREATE. */
const NAME_WIDTH = 14;

/** An event as one line for people. */
export function eventLine(event: GatewayEvent, names: Names, at: Date): string {
  const { who, text } = detailsOf(event, names);
  const parts = [
    at.toISOString().slice(11, 19),
    event.t.padEnd(NAME_WIDTH),
    placeOf(event, names),
    who === undefined || !text ? who : `${who}:`,
    text,
  ];
  return parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => oneLine(part ?? ''))
    .join(' ')
    .trimEnd();
}

/** An event as one line of JSON for scripts. */
export function eventJson({ s, t, d }: GatewayEvent, at: Date): string {
  return printableJson(JSON.stringify({ at: at.toISOString(), s, t, d }));
}

/** Text from elsewhere, on the line that it belongs to. */
function oneLine(text: string): string {
  return stripControls(text).replace(/[\n\p{Zl}\p{Zp}]+/gu, ' ');
}

/** The guild and the channel by their names where they are known. */
function placeOf({ t, d }: GatewayEvent, names: Names): string {
  const channelId = channelOf({ t, d });
  const channel = channelId === undefined ? undefined : names.channel(channelId);
  const guildId = t.startsWith('GUILD_') ? (textOf(d, 'guild_id') ?? textOf(d, 'id')) : textOf(d, 'guild_id');
  const guild = guildId ?? channel?.guild_id;
  return [
    guild && (names.guild(guild) ?? `guild ${guild}`),
    channelId && (channel?.label ?? `#${textOf(d, 'name') ?? channelId}`),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The channel that an event is about. */
export function channelOf({ t, d }: Pick<GatewayEvent, 't' | 'd'>): string | undefined {
  return (
    textOf(d, 'channel_id') ?? (/^CHANNEL_(?:CREATE|UPDATE|DELETE)$/.test(t) ? textOf(d, 'id') : undefined)
  );
}
