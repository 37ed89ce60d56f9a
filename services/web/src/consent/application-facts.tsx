import type { PublicApplication, PublicOwner } from '@gatehouse/proto/oauth2';
import { Ago } from '../shared/ago.tsx';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { iconUrl } from '../shared/icon-url.ts';
import { plainName } from '../shared/plain-name.ts';
import { Avatar } from '../shared/ui/avatar.tsx';
import { Name } from '../shared/ui/name.tsx';

/** Facts about the application, by which a person can decide whether to trust it. */
export function ApplicationFacts({ application }: { application: PublicApplication }) {
  const { id, name, icon, description, owner, created_at, terms_url, privacy_url } = application;
  const when = <Ago time={created_at} />;
  return (
    <section class="card" aria-label={i18n._('The application')}>
      <div class="with-avatar">
        <Avatar name={name} src={iconUrl(id, icon)} size="large" />
        <div>
          <strong>
            <Name text={name} />
          </strong>
          <div class="quiet">
            {owner ? (
              <Trans id="Made by {maker}, {when}" values={{ maker: <Maker owner={owner} />, when }} />
            ) : (
              <Trans id="Made {when}" values={{ when }} />
            )}
          </div>
        </div>
      </div>
      {description && (
        <p class="description" dir="auto">
          {plainName(description)}
        </p>
      )}
      <LegalLinks terms_url={terms_url} privacy_url={privacy_url} />
    </section>
  );
}

/** The user name stands beside a display name, which anybody may choose. */
function Maker({ owner: { username, global_name } }: { owner: PublicOwner }) {
  if (global_name == null) return <bdi>{username}</bdi>;
  return (
    <>
      <bdi>{plainName(global_name)}</bdi> (<bdi>{username}</bdi>)
    </>
  );
}

function LegalLinks({ terms_url, privacy_url }: Pick<PublicApplication, 'terms_url' | 'privacy_url'>) {
  if (!isHttps(terms_url) && !isHttps(privacy_url)) return null;
  return (
    <p class="actions links">
      {isHttps(terms_url) && <ForeignLink url={terms_url} text={i18n._('Terms of service')} />}
      {isHttps(privacy_url) && <ForeignLink url={privacy_url} text={i18n._('Privacy policy')} />}
    </p>
  );
}

function isHttps(url: string | null | undefined): url is string {
  return url?.toLowerCase().startsWith('https://') ?? false;
}

/** A link to a site of somebody else. It gets neither a referrer nor an opener. */
function ForeignLink({ url, text }: { url: string; text: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {text} <span class="unseen">{i18n._('(opens a new tab)')}</span>
    </a>
  );
}
