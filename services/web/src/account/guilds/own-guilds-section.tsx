import type { GuildBot } from '@gatehouse/proto/chat';
import type { Application } from '@gatehouse/proto/oauth2';
import type { ComponentChildren } from 'preact';
import { permissionsIn, tabsFor } from '../../guilds/tabs.ts';
import { call } from '../../shared/api/api.ts';
import { session } from '../../shared/api/session.ts';
import { type Loaded, useLoaded } from '../../shared/api/use-loaded.ts';
import { formatList } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { isolated } from '../../shared/i18n/isolated.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { iconUrl } from '../../shared/icon-url.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { Row } from '../../shared/ui/rows.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { Section } from '../section.tsx';
import { botsPage, type OwnGuild } from './own-guild.ts';
import { ShortList } from './short-list.tsx';

const BOTS_NAMED = 5;

/** The guilds of the account with their bots, and the applications that it has made. */
export function OwnGuildsSection({ guilds }: { guilds: Loaded<OwnGuild[]> }) {
  const applications = useLoaded(() => call<Application[]>('GET', '/oauth2/applications/@me'), []);
  return (
    <Section title={i18n._('Your guilds and bots')}>
      <h3>{i18n._('Guilds')}</h3>
      <WhenLoaded loaded={guilds}>
        {(shown) =>
          shown.length === 0 ? (
            <p>
              <Trans
                id="You are in no guild. <0>Create one</0>, and you may manage everything in it."
                components={[<LinkTo key="guilds" href="/guilds" />]}
              />
            </p>
          ) : (
            <ShortList items={shown} row={(guild) => <GuildRow key={guild.id} guild={guild} />} />
          )
        }
      </WhenLoaded>
      <h3>{i18n._('Your applications')}</h3>
      <WhenLoaded loaded={applications}>
        {(shown) =>
          shown.length === 0 ? (
            <p>
              <Trans
                id="You have made no application. <0>Create one</0> to sign people in, or to add your own bot to guilds."
                components={[<LinkTo key="new" href="/developers#new" />]}
              />
            </p>
          ) : (
            <ShortList items={shown} row={(one) => <ApplicationRow key={one.id} application={one} />} />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function GuildRow({ guild }: { guild: OwnGuild }) {
  const { id, name, icon, bots = [] } = guild;
  const account_id = session.value?.user_id ?? '';
  const isManaged = tabsFor(permissionsIn(guild, account_id)).length > 0;
  return (
    <Row
      avatar={<Avatar name={name} size="small" src={iconUrl(id, icon)} />}
      title={
        <span class="with-avatar">
          {isManaged ? (
            <LinkTo href={`/guilds/${id}`}>
              <Name text={name} isOneLine />
            </LinkTo>
          ) : (
            <Name text={name} isOneLine />
          )}
          {guild.owner_id === account_id && <Badge>{i18n._('Owner')}</Badge>}
        </span>
      }
      details={bots.length > 0 && botsText(bots)}
      actions={
        bots.length > 0 && (
          <a class="button" href={botsPage(guild)} aria-label={i18n._('Manage bots: {name}', { name })}>
            {i18n._('Manage bots')}
          </a>
        )
      }
    />
  );
}

function botsText(bots: readonly GuildBot[]): string {
  const names = bots.map(({ user }) => isolated(user?.global_name ?? user?.username ?? ''));
  const more = names.length - BOTS_NAMED;
  const shown = names.slice(0, BOTS_NAMED);
  if (more > 0) shown.push(i18n._('{more, plural, one {# more} other {# more}}', { more }));
  return i18n._('Bots: {names}', { names: formatList(shown) });
}

function ApplicationRow({ application: { id, name, icon } }: { application: Application }) {
  return (
    <Row
      avatar={<Avatar name={name} size="small" src={iconUrl(id, icon)} />}
      title={
        <LinkTo href={`/developers#${id}`}>
          <Name text={name} isOneLine />
        </LinkTo>
      }
    />
  );
}

function LinkTo({ href, children }: { href: string; children?: ComponentChildren }) {
  return <a href={href}>{children}</a>;
}
