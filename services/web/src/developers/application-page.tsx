import type { Application } from '@gatehouse/proto/oauth2';
import { ApiError, call } from '../shared/api/api.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { AuthorizationLink } from './authorization/authorization-link.tsx';
import { BotTab } from './bot/bot-tab.tsx';
import { hashOf, TABS, type Tab, tabLabel } from './route.ts';
import { SettingsTab } from './settings/settings-tab.tsx';
import { TryIt } from './try-it/try-it.tsx';
import { UsageTab } from './usage/usage-tab.tsx';
import { isUnsaved } from './use-draft.ts';
import { View } from './view.tsx';

const CONTENTS = {
  settings: SettingsTab,
  bot: BotTab,
  link: AuthorizationLink,
  try: TryIt,
  usage: UsageTab,
};

export function ApplicationPage({ id, tab }: { id: string; tab: Tab }) {
  const loaded = useLoaded(() => find(id), [id]);
  if (loaded.value === null) return <UnknownPage />;
  const Contents = CONTENTS[tab];
  return (
    <View title={loaded.value?.name ?? i18n._('Application')} tab={tabLabel(tab)}>
      <nav class="tabs" aria-label={i18n._('Application')}>
        {TABS.map((name) => (
          <a key={name} href={hashOf(id, name)} {...(name === tab && { 'aria-current': 'page' })}>
            {tabLabel(name)}{' '}
            {isUnsaved(`${id}/${name}`) && <Badge kind="warning">{i18n._('not saved')}</Badge>}
          </a>
        ))}
      </nav>
      <WhenLoaded loaded={loaded}>
        {(application) => application && <Contents application={application} onChange={loaded.replace} />}
      </WhenLoaded>
      <p>
        <a href="#all">{i18n._('All applications')}</a>
      </p>
    </View>
  );
}

/** Also shown for the ID of another account's application. */
export function UnknownPage() {
  return (
    <View title={i18n._('Not found')}>
      <p>{i18n._('You have no application with this ID.')}</p>
      <p>
        <a href="#all">{i18n._('All applications')}</a>
      </p>
    </View>
  );
}

async function find(id: string): Promise<Application | null> {
  try {
    return await call<Application>('GET', `/oauth2/applications/${id}`);
  } catch (error) {
    if (error instanceof ApiError && [400, 403, 404].includes(error.status)) return null;
    throw error;
  }
}
