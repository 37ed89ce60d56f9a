import type { GuildBot } from '@gatehouse/proto/chat';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { Icon } from '../../shared/ui/icon.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { callForTab, type TabProps } from '../managed-guild.ts';
import type { Actor } from '../members/hierarchy.ts';
import { memberName } from '../members/member-name.ts';
import { RemoveMember } from '../members/remove-member.tsx';
import { MoreButton } from '../more-button.tsx';
import { useActor } from '../use-actor.ts';
import { usePages } from '../use-pages.ts';
import { asMember, BotRow } from './bot-row.tsx';

const PAGE = 50;

/** The bots that were installed in a guild. */
export function BotsTab({ guild }: TabProps) {
  const actor = useActor(guild);
  return <WhenLoaded loaded={actor}>{(shown) => <Bots guild={guild} actor={shown} />}</WhenLoaded>;
}

function Bots({ guild, actor }: TabProps & { actor: Actor }) {
  const list = usePages<GuildBot>('', PAGE, (last) => {
    const after = last?.user ? `&after=${last.user.id}` : '';
    return callForTab('GET', `/guilds/${guild.id}/bots?limit=${PAGE}${after}`);
  });
  const [removing, setRemoving] = useState<GuildBot | undefined>();
  const removed = (bot: GuildBot) => {
    list.change((known) => known.filter(({ user }) => user?.id !== bot.user?.id));
    showToast(i18n._('{name} was removed from the guild.', { name: memberName(asMember(bot)) }));
    setRemoving(undefined);
    document.getElementById('main')?.focus();
  };
  return (
    <>
      {list.items?.length === 0 && <NoBots />}
      {list.items && list.items.length > 0 && (
        <ul class="card rows members">
          {list.items.map((bot) => (
            <BotRow key={bot.user?.id} {...{ bot, guild, actor }} onRemove={() => setRemoving(bot)} />
          ))}
        </ul>
      )}
      <MoreButton list={list} label={i18n._('Show more bots')} />
      {removing && (
        <RemoveMember
          guild={guild}
          member={asMember(removing)}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => removed(removing)}
        />
      )}
    </>
  );
}

function NoBots() {
  return (
    <div class="card empty">
      <Icon name="bot" />
      <h2>{i18n._('No bots yet')}</h2>
      <p>
        <Trans
          id="A bot is added by a link from its maker. The link shows what the bot may do before you allow it. To make your own bot, <0>create an application</0>."
          components={[<ToDevelopers key="0" />]}
        />
      </p>
    </div>
  );
}

function ToDevelopers({ children }: { children?: ComponentChildren }) {
  return <a href="/developers">{children}</a>;
}
