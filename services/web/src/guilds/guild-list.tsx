import { useState } from 'preact/hooks';
import { session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { formatList } from '../shared/i18n/format.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Page } from '../shared/page.tsx';
import { Badge } from '../shared/ui/badge.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Name } from '../shared/ui/name.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { GuildIcon } from './guild-icon.tsx';
import { loadGuilds, type ManagedGuild } from './managed-guild.ts';
import { NewGuild } from './new-guild.tsx';
import { permissionsIn, tabLabel, tabsFor } from './tabs.ts';

/** The guilds in which the account may manage something. */
export function GuildList() {
  return (
    <Page title={i18n._('Guilds')} isWide>
      <SignedIn>
        <Guilds />
      </SignedIn>
    </Page>
  );
}

function Guilds() {
  const account_id = session.value?.user_id ?? '';
  const loaded = useLoaded(loadGuilds, [account_id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(guilds) => {
        const managed = guilds.filter((guild) => tabsFor(permissionsIn(guild, account_id)).length > 0);
        const others = guilds.length - managed.length;
        if (managed.length === 0) return <NothingToManage others={others} />;
        return (
          <>
            <p>{i18n._('These are the guilds in which you may manage something.')}</p>
            <GuildRows guilds={managed} account_id={account_id} />
            {others > 0 && (
              <p class="quiet">
                {i18n._(
                  '{others, plural, one {You are in # more guild, where you may manage nothing.} other {You are in # more guilds, where you may manage nothing.}}',
                  { others },
                )}
              </p>
            )}
            <CreateGuild />
          </>
        );
      }}
    </WhenLoaded>
  );
}

function GuildRows({ guilds, account_id }: { guilds: readonly ManagedGuild[]; account_id: string }) {
  return (
    <ul class="guilds">
      {guilds.map((guild) => (
        <li key={guild.id}>
          <a class="card guild-card" href={`/guilds/${guild.id}`}>
            <GuildIcon guild={guild} />
            <span class="guild-words">
              <strong>
                <Name text={guild.name} isOneLine />
              </strong>
              <span class="quiet">{formatList(tabsFor(permissionsIn(guild, account_id)).map(tabLabel))}</span>
            </span>
            {guild.owner_id === account_id && <Badge>{i18n._('Owner')}</Badge>}
          </a>
        </li>
      ))}
    </ul>
  );
}

function NothingToManage({ others }: { others: number }) {
  return (
    <section class="card empty" aria-labelledby="nothing">
      <Icon name="people" />
      <h2 id="nothing">{i18n._('No guild to manage yet')}</h2>
      <p>{i18n._('A guild is a community with channels.')}</p>
      <p>
        {others === 0
          ? i18n._(
              'You are in no guild. Create one, and you may manage everything in it: webhooks, bots, members and roles.',
            )
          : i18n._(
              'Guilds appear here once you own one, or once somebody gives you a role that may manage webhooks, bots, roles or members, or see the audit log.',
            )}
      </p>
      <CreateGuild />
    </section>
  );
}

function CreateGuild() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        {i18n._('Create a guild')}
      </button>
      {isOpen && <NewGuild onClose={() => setOpen(false)} />}
    </>
  );
}
