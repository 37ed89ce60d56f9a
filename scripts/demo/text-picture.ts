import { type Channel, type Embed, type Guild, type Message, nameOf, runsOf } from './picture.ts';
import { columns, harmless, paint, paintColor, shorten } from './terminal.ts';

/** The channel for a terminal. */
export function textPicture(guild: Guild, channel: Channel, messages: Message[]): string {
  const width = columns();
  const head = `${harmless(guild.name)} #${harmless(channel.name)}`;
  const rule = paint('dim', '─'.repeat(width));
  const body = runsOf(messages).flatMap(({ author, timestamp, first, hidden, last }) => [
    '',
    `${paint('bold', harmless(nameOf(author)))}${author.bot ? paint('cyan', ' BOT') : ''} ${paint('dim', timeOf(timestamp))}`,
    ...first.flatMap((message) => linesOf(message, width)),
    ...(hidden.length === 0 ? [] : [paint('dim', `  … ${hidden.length} more …`)]),
    ...last.flatMap((message) => linesOf(message, width)),
  ]);
  return [rule, paint('bold', head), rule, ...body, '', rule].join('\n');
}

function linesOf({ content, embeds }: Message, width: number): string[] {
  return [...textLines(content, '  ', width), ...embeds.flatMap((embed) => embedLines(embed, width))];
}

function embedLines(embed: Embed, width: number): string[] {
  const { color, author, title, description, fields = [], footer } = embed;
  const bar = `  ${paintColor(color, '┃')} `;
  return [
    ...textLines(author?.name ?? '', bar, width),
    ...textLines(title ?? '', bar, width).map((line) => paint('bold', line)),
    ...textLines(description ?? '', bar, width),
    ...fields.flatMap(({ name, value }) => textLines(`${name}: ${value}`, bar, width)),
    ...textLines(footer?.text ?? '', bar, width),
  ];
}

function textLines(text: string, start: string, width: number): string[] {
  if (text === '') return [];
  return harmless(withoutTargets(text))
    .split('\n')
    .map((line) => `${start}${shorten(line, width - 4)}`);
}

/** Of [labelled](https://links) the label: a terminal line is short. */
function withoutTargets(text: string): string {
  return text.replace(/\[([^\]\n]+)\]\(https?:\/\/[^\s)]+\)/g, '$1');
}

function timeOf(timestamp: string): string {
  return timestamp.slice(11, 19);
}

/** An audit log for a terminal. */
export function textLog(lines: string[]): string {
  const width = columns();
  return [paint('bold', 'Audit log'), ...lines.flatMap((line) => textLines(line, '  ', width))].join('\n');
}
