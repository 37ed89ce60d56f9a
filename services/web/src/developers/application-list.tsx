import type { Application } from '@gatehouse/proto/oauth2';
import { call } from '../shared/api/api.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { hashOf } from './route.ts';
import { View } from './view.tsx';

const MAX_APPLICATIONS = 25;

/** The applications of the signed-in account. */
export function ApplicationList() {
  const loaded = useLoaded(() => call<Application[]>('GET', '/oauth2/applications/@me'), []);
  return (
    <View title="Applications">
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
        An application signs people in with their Gatehouse account, by OAuth2, and has a bot that can join
        guilds. The <a href="/docs">documentation</a> has every operation of the API, with your own IDs in its
        examples.
      </p>
      {applications.length > 0 && (
        <div class="card">
          <ul class="rows">
            {applications.map(({ id, name }) => (
              <li key={id}>
                <a href={hashOf(id)}>{name}</a>
                <span class="quiet">ID {id}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {applications.length < MAX_APPLICATIONS ? (
        <a class="button primary" href="#new">
          New application
        </a>
      ) : (
        <p>You have {MAX_APPLICATIONS} applications, the most there can be. Delete one to make room.</p>
      )}
    </>
  );
}
