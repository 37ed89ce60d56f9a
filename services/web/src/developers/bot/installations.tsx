import type { GetInstallationsResponse } from '@gatehouse/proto/oauth2';
import { call } from '../../shared/api/api.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { hashOf } from '../route.ts';

const MAX_COUNTED = 10_000;

/** How many guilds have the bot. */
export function Installations({ application_id }: { application_id: string }) {
  const path = `/oauth2/applications/${application_id}/installations`;
  const loaded = useLoaded(() => call<GetInstallationsResponse>('GET', path), [path]);
  return (
    <section class="card" aria-labelledby="installations">
      <h2 id="installations">{i18n._('Guilds')}</h2>
      <WhenLoaded loaded={loaded}>
        {({ guild_count }) =>
          guild_count === 0 ? (
            <p>
              <Trans
                id="No guild has the bot yet. An <0>authorization URL</0> with the scope “bot” asks people to install it."
                components={[
                  // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
                  <a key="link" href={hashOf(application_id, 'link')} />,
                ]}
              />
            </p>
          ) : (
            <p>{guildsText(guild_count)}</p>
          )
        }
      </WhenLoaded>
    </section>
  );
}

function guildsText(count: number): string {
  if (count >= MAX_COUNTED)
    return i18n._('The bot is in at least {count} guilds.', { count: formatNumber(MAX_COUNTED) });
  return i18n._('{count, plural, one {The bot is in one guild.} other {The bot is in # guilds.}}', { count });
}
