import type { GatewayEvent } from '../../gateway-client/frames.ts';
import { textOf } from '../../json/members.ts';
import { printableJson, stripControls } from '../../output/printable.ts';
import { detailsOf } from './event-details.ts';
import type { KnownNames } from './known-names.ts';

/** The length of MESSAGE_CREATE: most names of events are no longer. */
const NAME_WIDTH = 14;

/** An event as one line for people. */
export function eventLine(event: GatewayEvent, names: KnownNames, at: Date): string {
  const { subject, text } = detailsOf(event);
  const parts = [
    at.toISOString().slice(11, 19),
    event.t.padEnd(NAME_WIDTH),
    placeOf(event, names),
    subject === undefined || !text ? subject : `${subject}:`,
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

/** The channel of an event. */
export function channelOf({ t, d }: Pick<GatewayEvent, 't' | 'd'>): string | undefined {
  return (
    textOf(d, 'channel_id') ?? (/^CHANNEL_(?:CREATE|UPDATE|DELETE)$/.test(t) ? textOf(d, 'id') : undefined)
  );
}

function oneLine(text: string): string {
  return stripControls(text).replace(/[\n\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Guild and channel, by name if it is known. */
function placeOf({ t, d }: GatewayEvent, names: KnownNames): string {
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
