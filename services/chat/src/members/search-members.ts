import type { MemberRow } from '@gatehouse/chat-client/rows';
import { cancelled } from '@gatehouse/kit/fault';
import type { User } from '@gatehouse/proto/auth';
import type { Deps } from '../deps.ts';
import { findMemberNames, findMembersById } from '../store/members/member-names.ts';

/** Members per statement and call of auth. */
const STEP = 1_000;
/** Members that one search looks at (docs/guilds.md#members). */
const MAX_LOOKED_AT = 20_000;

/** The members after an ID with a text in one of their names, by ID. Names are auth's, so it goes through the guild. */
export async function searchMembers(
  { db, users }: Pick<Deps, 'db' | 'users'>,
  guildId: string,
  search: { readonly query: string; readonly after: string; readonly limit: number },
  signal: AbortSignal,
): Promise<MemberRow[]> {
  const wanted = folded(search.query);
  const found: string[] = [];
  let { after } = search;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT && found.length < search.limit; lookedAt += STEP) {
    if (signal.aborted) throw cancelled();
    const names = await findMemberNames(db, guildId, after, STEP);
    const shownUsers = await users(names.map(({ account_id }) => account_id));
    const hits = names.filter(({ account_id, nick }) => hasText(wanted, nick, shownUsers.get(account_id)));
    found.push(...hits.map(({ account_id }) => account_id));
    const last = names.at(-1);
    if (last === undefined || names.length < STEP) break;
    after = last.account_id;
  }
  return findMembersById(db, guildId, found.slice(0, search.limit));
}

/** A deleted account has no names. */
function hasText(wanted: string, nick: string | null, user: User | undefined): boolean {
  if (user === undefined) return false;
  return [nick, user.global_name, user.username].some(
    (name) => name != null && folded(name).includes(wanted),
  );
}

/** A text without the differences that readers overlook: upper case, and forms of one character. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
