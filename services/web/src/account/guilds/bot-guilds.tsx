import { Trans } from '../../shared/i18n/trans.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { botsPage, type OwnGuild } from './own-guild.ts';

/** The guilds that have the bot of an application, each with a link to where it is removed. */
export function BotGuilds({ guilds }: { guilds: readonly OwnGuild[] }) {
  return guilds.map((guild) => (
    <li key={guild.id}>
      <Trans
        id="Its bot is in {guild}."
        values={{
          guild: (
            <a href={botsPage(guild)}>
              <Name text={guild.name} isOneLine />
            </a>
          ),
        }}
      />
    </li>
  ));
}
