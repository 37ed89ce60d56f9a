import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Page } from '../shared/page.tsx';
import { Name } from '../shared/ui/name.tsx';
import { Tabs } from '../shared/ui/tabs.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { currentView } from './current-view.ts';
import { GuildIcon } from './guild-icon.tsx';
import { GuildTab } from './guild-tab.tsx';
import { loadGuild, type ManagedGuild, refusals } from './managed-guild.ts';
import { hashOf } from './route.ts';
import { permissionsIn, type Tab, tabLabel, tabsFor } from './tabs.ts';

/** The guild in the heading. Undefined until it is loaded, and for somebody who is not in it. */
const shownGuild = signal<ManagedGuild | undefined>(undefined);

/** A guild, with tabs for what the account may manage there. */
export function GuildPage({ id }: { id: string }) {
  const guild = shownGuild.value;
  const { tab, part } = currentView.value;
  const label = part === 'roles' ? i18n._('Roles') : tab && tabLabel(tab);
  const title = [label, guild?.name ?? i18n._('Guild')].filter(Boolean).join(' · ');
  return (
    <Page title={title} heading={guild ? <GuildHeading guild={guild} /> : i18n._('Guild')} isWide>
      <SignedIn>
        <LoadedGuild id={id} account_id={session.value?.user_id ?? ''} />
      </SignedIn>
    </Page>
  );
}

function GuildHeading({ guild }: { guild: ManagedGuild }) {
  return (
    <span class="guild-heading">
      <GuildIcon guild={guild} />
      <Name text={guild.name} />
    </span>
  );
}

function LoadedGuild({ id, account_id }: { id: string; account_id: string }) {
  const loaded = useLoaded(() => loadGuild(id), [id]);
  const handled = useRef(refusals.value);
  useEffect(() => {
    if (handled.current !== refusals.value) void loaded.reload();
    handled.current = refusals.value;
  }, [refusals.value]);
  useLayoutEffect(() => {
    shownGuild.value = loaded.value ?? undefined;
    return () => {
      shownGuild.value = undefined;
    };
  }, [loaded.value]);
  return (
    <WhenLoaded loaded={loaded}>
      {(guild) => (guild === null ? <GuildGone /> : <GuildTabs guild={guild} account_id={account_id} />)}
    </WhenLoaded>
  );
}

function GuildTabs({ guild, account_id }: { guild: ManagedGuild; account_id: string }) {
  const tabs = tabsFor(permissionsIn(guild, account_id));
  const tab = currentView.value.tab ?? tabs[0];
  if (tab === undefined) return <NothingHere />;
  return (
    <>
      <Tabs
        label={i18n._('Guild')}
        tabs={tabs.map((each) => ({ href: hashOf(each), text: tabLabel(each), isCurrent: each === tab }))}
      />
      {tabs.includes(tab) ? <GuildTab key={tab} tab={tab} guild={guild} /> : <NotYours tab={tab} />}
    </>
  );
}

/** A tab that needs a permission which the account does not have, or has lost while the page was open. */
function NotYours({ tab }: { tab: Tab }) {
  return (
    <Explanation title={i18n._('You may not manage this here')}>
      <p>
        {i18n._(
          '“{tab}” needs a permission that you do not have in this guild. Somebody may have changed your roles. The tabs show what you may manage now.',
          { tab: tabLabel(tab) },
        )}
      </p>
    </Explanation>
  );
}

function NothingHere() {
  return (
    <Explanation title={i18n._('You may manage nothing in this guild')}>
      <p>
        {i18n._(
          'Ask its owner for a role with a permission such as “Manage webhooks” or “See the audit log”. Then reload this page.',
        )}
      </p>
    </Explanation>
  );
}

/** Also shown for a guild that does not exist. */
function GuildGone() {
  return (
    <Explanation title={i18n._('You are not in this guild')}>
      <p>{i18n._('It may have been deleted, or you have left it or were removed from it.')}</p>
    </Explanation>
  );
}

/** Takes the place of a tab, and the focus. */
function Explanation({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <p>
        <a href="/guilds">{i18n._('All guilds')}</a>
      </p>
    </section>
  );
}
