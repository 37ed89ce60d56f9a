import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import type { TabProps } from './managed-guild.ts';
import { type Tab, tabLabel } from './tabs.ts';

/** The script of a tab is loaded when the tab is opened. */
const SCRIPTS: Readonly<Record<Tab, () => Promise<ComponentType<TabProps>>>> = {
  webhooks: async () => (await import('./webhooks/webhooks-tab.tsx')).WebhooksTab,
  bots: async () => (await import('./bots/bots-tab.tsx')).BotsTab,
  members: async () => (await import('./members/members-tab.tsx')).MembersTab,
  'audit-log': async () => (await import('./audit-log/audit-log-tab.tsx')).AuditLogTab,
};

/** Whether a tab is the first one since the page was loaded. It leaves the focus where it is. */
let isFirst = true;

/** The content of a tab. It gets the focus when another tab was open before. */
export function GuildTab({ tab, ...props }: TabProps & { tab: Tab }) {
  const section = useRef<HTMLElement>(null);
  const loaded = useLoaded(() => load(tab), [tab]);
  useEffect(() => {
    if (!isFirst) section.current?.focus();
    isFirst = false;
  }, []);
  return (
    <section ref={section} class="guild-tab" tabIndex={-1} aria-label={tabLabel(tab)}>
      <WhenLoaded loaded={loaded}>{({ Contents }) => <Contents {...props} />}</WhenLoaded>
    </section>
  );
}

async function load(tab: Tab): Promise<{ Contents: ComponentType<TabProps> }> {
  try {
    return { Contents: await SCRIPTS[tab]() };
  } catch {
    throw new UserFacingError(
      i18n._('This part of the page could not be loaded. Check your connection and try again.'),
    );
  }
}
