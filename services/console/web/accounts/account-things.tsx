import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AccountGrant, AdminApplication } from '@gatehouse/proto/oauth2-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Row, Rows } from '@gatehouse/web/shared/ui/rows.tsx';
import { ApplicationState } from '../applications/application-state.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { When } from '../parts/when.tsx';
import { counted } from '../text/numbers.ts';
import { type AccountDetails, MOST_OWNED } from './account-details.ts';
import { AccountState } from './account-state.tsx';
import { Missing } from './missing.tsx';

/** The applications of an account, and their bots. */
export function ApplicationsTab(props: {
  account_id: string;
  applications: readonly AdminApplication[] | undefined;
  bots: readonly AdminAccount[];
}) {
  const { account_id, applications, bots } = props;
  if (applications === undefined) return <Missing />;
  if (applications.length === 0 && bots.length === 0)
    return <EmptyState icon="apps">This account has no application.</EmptyState>;
  return (
    <div class="card">
      <Rows>
        {applications.map((application) => (
          <Row
            key={application.id}
            title={
              <IdLink kind="application" id={application.id}>
                <Name text={application.name} isOneLine />
              </IdLink>
            }
            details={`application · ${application.id}`}
            actions={<ApplicationState application={application} />}
          />
        ))}
        {bots.map((bot) => (
          <Row
            key={`bot ${bot.id}`}
            title={
              <IdLink kind="account" id={bot.id}>
                <Name text={bot.username} isOneLine />
              </IdLink>
            }
            details={`bot · ${bot.id}`}
            actions={<AccountState account={bot} />}
          />
        ))}
      </Rows>
      {applications.length >= MOST_OWNED && (
        <p>
          The newest {MOST_OWNED}.{' '}
          <a href={`/applications?q=${account_id}`}>All applications of the account</a>
        </p>
      )}
    </div>
  );
}

/** What an account signs in with. */
export function FactorsTab({ details: { factors, has_password } }: { details: AccountDetails }) {
  if (factors === undefined) return <Missing />;
  return (
    <section class="card" aria-label="Factors">
      <Facts
        facts={[
          ['Password', has_password ? 'set' : 'none'],
          ['Authenticator app', factors?.totp ? 'set up' : 'none'],
          ['Backup codes', counted(factors?.backup_codes ?? 0, 'unused code')],
          [
            'Passkeys',
            factors && factors.passkeys.length > 0 ? <PasskeyNames names={factors.passkeys} /> : 'none',
          ],
        ]}
      />
    </section>
  );
}

function PasskeyNames({ names }: { names: readonly string[] }) {
  return <bdi>{new Intl.ListFormat('en').format(names)}</bdi>;
}

/** The applications that have access to an account. */
export function GrantsTab({ grants }: { grants: readonly AccountGrant[] | undefined }) {
  if (grants === undefined) return <Missing />;
  if (grants.length === 0)
    return <EmptyState icon="key">No application has access to this account.</EmptyState>;
  return (
    <div class="card">
      <Rows>
        {grants.map(({ application_id, name, scopes, authorized_at_ms }) => (
          <Row
            key={application_id}
            title={
              <IdLink kind="application" id={application_id}>
                <Name text={name} isOneLine />
              </IdLink>
            }
            details={
              <>
                {scopes.join(' ')} · <When ms={authorized_at_ms} />
              </>
            }
          />
        ))}
      </Rows>
    </div>
  );
}

/** The guilds of an account. */
export function GuildsTab({ guilds }: { guilds: readonly AdminGuild[] | undefined }) {
  if (guilds === undefined) return <Missing />;
  if (guilds.length === 0) return <EmptyState icon="people">This account is in no guild.</EmptyState>;
  return (
    <div class="card">
      <Rows>
        {guilds.map(({ id, name, members, disablement }) => (
          <Row
            key={id}
            title={
              <IdLink kind="guild" id={id}>
                <Name text={name} isOneLine />
              </IdLink>
            }
            details={`${id} · ${counted(members, 'member')}`}
            actions={disablement && <Badge kind="danger">disabled</Badge>}
          />
        ))}
      </Rows>
    </div>
  );
}
