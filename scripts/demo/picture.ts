/** What a picture shows of a channel: the API's objects as far as they are drawn. */

export interface Guild {
  id: string;
  name: string;
}

export interface Channel {
  id: string;
  name: string;
}

export interface Webhook {
  id: string;
  token: string;
}

export interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  author?: { name: string; url?: string };
  footer?: { text: string };
  fields?: { name: string; value: string; inline?: boolean }[];
}

export interface Message {
  id: string;
  author: { id: string; username: string; global_name: string | null; bot: boolean };
  content: string;
  timestamp: string;
  embeds: Embed[];
}

export interface AuditLog {
  audit_log_entries: {
    action_type: number;
    user_id: string;
    target_id?: string | null;
    reason?: string;
    changes?: { key: string; new_value?: unknown }[];
  }[];
  users: { id: string; username: string; global_name: string | null }[];
}

/** Messages of one author after another, as a chat draws them; of a long run only its ends. */
export interface Run {
  author: Message['author'];
  timestamp: string;
  first: Message[];
  hidden: Message[];
  last: Message[];
}

const SHOWN_AT_EACH_END = 2;

export function runsOf(messages: Message[]): Run[] {
  const runs: Message[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && isSameAuthor(run[0], message)) run.push(message);
    else runs.push([message]);
  }
  return runs.flatMap(fold);
}

export function nameOf({ global_name, username }: Message['author']): string {
  return global_name ?? username;
}

function isSameAuthor({ author: a }: Message, { author: b }: Message): boolean {
  return a.id === b.id && a.username === b.username;
}

function fold(messages: Message[]): Run[] {
  const [start] = messages;
  if (start === undefined) return [];
  const { author, timestamp } = start;
  if (messages.length <= 2 * SHOWN_AT_EACH_END + 1)
    return [{ author, timestamp, first: messages, hidden: [], last: [] }];
  return [
    {
      author,
      timestamp,
      first: messages.slice(0, SHOWN_AT_EACH_END),
      hidden: messages.slice(SHOWN_AT_EACH_END, -SHOWN_AT_EACH_END),
      last: messages.slice(-SHOWN_AT_EACH_END),
    },
  ];
}
