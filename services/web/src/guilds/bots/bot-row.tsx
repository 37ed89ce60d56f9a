import type { GuildBot, Member } from '@gatehouse/proto/chat';
import { Ago } from '../../shared/ago.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { KICK_MEMBERS } from '../../shared/permissions.ts';
import { Name } from '../../shared/ui/name.tsx';
import { AccountPicture } from '../account-picture.tsx';
import type { ManagedGuild } from '../managed-guild.ts';
import { type Actor, givableRoles, removalObstacle } from '../members/hierarchy.ts';
import { memberName } from '../members/member-name.ts';
import { PermissionWords } from '../permission-words.tsx';
import { RoleChips } from '../role-chip.tsx';

/** A bot, with who installed it, what it may do, and a button that removes it. */
export function BotRow(props: { bot: GuildBot; guild: ManagedGuild; actor: Actor; onRemove: () => void }) {
  const { bot, guild, actor, onRemove } = props;
  if (!bot.user) return null;
  const name = memberName(asMember(bot));
  const obstacle = obstacleText(guild, actor, bot);
  return (
    <li>
      <AccountPicture user={bot.user} />
      <div class="member-words">
        <span class="member-name">
          <strong>
            <Name text={name} />
          </strong>
        </span>
        <span class="quiet">
          <InstalledBy bot={bot} />
        </span>
        <RoleChips
          roles={givableRoles(guild).filter(({ id }) => bot.roles.includes(id))}
          label={i18n._('Roles of {name}', { name })}
        />
        <PermissionWords permissions={bot.permissions} />
        {obstacle && <span class="quiet">{obstacle}</span>}
      </div>
      {obstacle === undefined && (
        <div class="member-actions">
          <button
            type="button"
            class="danger"
            aria-label={i18n._('Remove {name}', { name })}
            onClick={onRemove}
          >
            {i18n._('Remove')}
          </button>
        </div>
      )}
    </li>
  );
}

function InstalledBy({ bot: { installed_by, installed_at } }: { bot: GuildBot }) {
  const time = <Ago time={installed_at} />;
  if (!installed_by) return <Trans id="Added by a deleted account {time}" values={{ time }} />;
  const name = <bdi>{installed_by.global_name ?? installed_by.username}</bdi>;
  return <Trans id="Added by {name} {time}" values={{ name, time }} />;
}

/** Why the actor may not remove the bot. */
function obstacleText(guild: ManagedGuild, actor: Actor, bot: GuildBot): string | undefined {
  if ((actor.permissions & KICK_MEMBERS) === 0n)
    return i18n._('You may not remove it: that needs the permission “Remove members”.');
  if (removalObstacle(guild, actor, bot) === undefined) return undefined;
  return i18n._('You may not remove it: its highest role is not below yours.');
}

/** A bot as a member without a nick. */
export function asMember({ user, roles, installed_at }: GuildBot): Member {
  const none = { nick: null, avatar: null, banner: null, bio: null, pronouns: null, accent_color: null };
  return { ...none, user, roles, joined_at: installed_at };
}
