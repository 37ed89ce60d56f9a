import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { printable, printableJson } from '@gatehouse/cli/output/printable';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { explainReason, type Rendered, renderProvider } from '@gatehouse/webhook-delivery/render';
import { say } from '../demo/terminal.ts';
import { type TryOptions, UsageError } from './arguments.ts';
import { messageText } from './message-text.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Prints what a payload becomes. @returns whether that is a message */
export async function tryPayload({ dialect, file, event, form, json }: TryOptions): Promise<boolean> {
  const body = await read(file);
  const rendered = renderProvider({ dialect, body, event, content_type: form ? FORM : undefined });
  if (json) say(printableJson(JSON.stringify(renderedJson(rendered, event), withoutAbsent)));
  else say('message' in rendered ? messageText(rendered.message) : refusalText(rendered, event));
  return 'message' in rendered;
}

async function read(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`, '');
  }
}

function renderedJson(rendered: Rendered, event: string | undefined) {
  if (!('message' in rendered)) {
    const { outcome, reason, violations } = rendered;
    return { outcome, reason, explanation: explainReason(reason, event), violations };
  }
  const { username, content, embeds } = rendered.message;
  return { outcome: 'shown', message: { username, content, embeds: embeds.map(embedJson) } };
}

/** With its members in one order, whoever rendered it. */
function embedJson(embed: EmbedInput) {
  const { title, description, url, color, timestamp, author, footer, image, thumbnail, fields } = embed;
  return { title, description, url, color, timestamp, author, footer, image, thumbnail, fields };
}

/** As the API's JSON has embeds: what is absent is left out. */
function withoutAbsent(_: string, value: unknown): unknown {
  return value ?? undefined;
}

function refusalText(rendered: Exclude<Rendered, { message: unknown }>, event: string | undefined): string {
  const { outcome, reason, violations } = rendered;
  return [
    `${outcome}: ${reason}`,
    printable(explainReason(reason, event)),
    ...violations.map(({ path, code, message }) => printable(`  ${path}: ${message} (${code})`)),
  ].join('\n');
}
