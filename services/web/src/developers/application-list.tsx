import type { Application } from '@gatehouse/proto/oauth2';
import { call } from '../shared/api/api.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { hashOf } from './route.ts';
import { isUnsaved } from './use-draft.ts';
import { View } from './view.tsx';

const MAX_APPLICATIONS = 25;

/** The applications of the signed-in account. */
export function ApplicationList() {
  const loaded = useLoaded(() => call<Application[]>('GET', '/oauth2/applications/@me'), []);
  return (
    <View title={i18n._('Applications')}>
      <WhenLoaded loaded={loaded}>
        {(applications) => <ApplicationRows applications={applications} />}
      </WhenLoaded>
    </View>
  );
}

function ApplicationRows({ applications }: { applications: readonly Application[] }) {
  return (
    <>
      <p>
        <Trans
          id="An application signs people in with their Gatehouse account, by OAuth2, and has a bot that can join guilds. The <0>documentation</0> has every operation of the API, with your own IDs in its examples."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="link" href="/docs" />,
          ]}
        />
      </p>
      {applications.length > 0 && (
        <div class="card">
          <ul class="rows">
            {applications.map(({ id, name }) => (
              <li key={id}>
                <a href={hashOf(id)}>
                  <bdi>{name}</bdi>
                </a>
                <span class="quiet">
                  {isUnsaved(`${id}/settings`) || isUnsaved(`${id}/bot`)
                    ? i18n._('Changes not saved · ID {id}', { id })
                    : i18n._('ID {id}', { id })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {applications.length < MAX_APPLICATIONS ? (
        <a class="button primary" href="#new">
          {isUnsaved('new') ? i18n._('Continue the new application') : i18n._('New application')}
        </a>
      ) : (
        <p>
          {i18n._('You have {count} applications, the most there can be. Delete one to make room.', {
            count: MAX_APPLICATIONS,
          })}
        </p>
      )}
    </>
  );
}
