import type { Bucket, Operation } from '../openapi.ts';

const CREDENTIALS: Readonly<Record<string, { readonly label: string; readonly path: string }>> = {
  session: { label: 'a session', path: '/docs/credentials#authorization-header' },
  bot: { label: 'a bot token', path: '/docs/credentials#bots' },
  access_token: { label: 'an access token', path: '/docs/credentials#access-tokens' },
  client: { label: 'the application’s ID and secret', path: '/docs/oauth2#client-authentication' },
  webhook: { label: 'the webhook’s token in the path', path: '/docs/webhooks' },
  sign_in_cookie: { label: 'the sign-in cookie', path: '/docs/credentials#sign-in-cookie' },
  none: { label: 'no credential', path: '/docs/credentials' },
};

/** The credentials that an operation accepts. */
export function Credentials({ operation }: { operation: Operation }) {
  const accepted = operation['x-credentials'];
  return (
    <>
      <h2 id="credentials">Credentials</h2>
      <ul class="plain-list">
        {accepted.map((one) => {
          const [kind = '', scope] = one.split(':');
          const known = CREDENTIALS[kind];
          return (
            <li key={one}>
              {known === undefined ? one : <a href={known.path}>{known.label}</a>}
              {scope !== undefined && (
                <>
                  {' with the scope '}
                  <code>{scope}</code>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The buckets of an operation. */
export function Limits({ operation }: { operation: Operation }) {
  const limit = operation['x-rate-limit'];
  if (limit === undefined) return null;
  const rows = [
    ...limit.buckets.map((bucket) => ({ bucket, when: '' })),
    ...(limit.by_member ?? []).flatMap(({ member, when, buckets }) =>
      buckets.map((bucket) => ({ bucket, when: `if ${member} is ${when}` })),
    ),
  ];
  return (
    <>
      <h2 id="limits">Rate limits</h2>
      <p>
        {limit.global
          ? 'A request counts against the caller’s '
          : 'A request does not count against the caller’s '}
        <a href="/docs/rate-limits#global-bucket">global bucket</a>
        {rows.length === 0 ? ' only.' : limit.global ? ', and against:' : ', but against:'}
      </p>
      {rows.length > 0 && (
        <ul class="members">
          {rows.map(({ bucket, when }) => (
            <li key={`${bucket.name} ${when}`}>
              <BucketLine bucket={bucket} when={when} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function BucketLine({ bucket, when }: { bucket: Bucket; when: string }) {
  const { name, id, limit, window_seconds, key } = bucket;
  return (
    <>
      <p class="member">
        <code>{name}</code>{' '}
        <span class="type">
          {limit} in {inWords(window_seconds)}
        </span>
      </p>
      <p class="about">
        by {key.join(' and ')}
        {when && `, ${when}`}
      </p>
      <p class="bounds">X-RateLimit-Bucket: {id}</p>
    </>
  );
}

function inWords(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
