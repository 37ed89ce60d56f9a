import { printShown, type Shown } from '../../console/show-command.ts';
import { memberOf } from '../../json/members.ts';
import { cappedFactOf, factOf, stoppedText } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Messages are counted up to here. */
const MOST_MESSAGES = 10_000;

/** Prints a guild with its size. */
export function showGuild(id: string, options: { readonly json?: boolean }, runtime: Runtime): Promise<void> {
  return printShown({ path: `/guilds/${id}`, shown }, options, runtime);
}

function shown(answer: unknown): Shown {
  const guild = memberOf(answer, 'guild');
  return {
    facts: [
      ['ID', factOf(guild, 'id')],
      ['name', factOf(guild, 'name')],
      ['owner', factOf(guild, 'owner_id')],
      ['disabled', stoppedText(guild, 'disablement')],
      ['members', factOf(guild, 'members')],
      ['channels', factOf(answer, 'channels')],
      ['roles', factOf(answer, 'roles')],
      ['messages in 24 h', cappedFactOf(answer, MOST_MESSAGES, 'messages')],
    ],
    parts: [],
  };
}
