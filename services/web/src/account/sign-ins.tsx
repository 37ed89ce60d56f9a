import type { SignIn } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { deviceName } from './device-name.ts';
import { Section } from './section.tsx';
import { methodText, outcomeText } from './sign-in-texts.ts';

const PAGE = 10;

/** The history of sign-ins, the newest first. */
export function SignIns() {
  const loaded = useLoaded(() => call<SignIn[]>('GET', `/users/@me/sign-ins?limit=${PAGE}`), []);
  // Of a short page there is no next one.
  const [hasMore, setMore] = useState(true);
  const more = useAction(async () => {
    const shown = loaded.value ?? [];
    const path = `/users/@me/sign-ins?limit=${PAGE}&before=${shown.at(-1)?.id ?? 0}`;
    const next = await call<SignIn[]>('GET', path);
    setMore(next.length === PAGE);
    loaded.replace([...shown, ...next]);
  });
  return (
    <Section title={i18n._('Sign-ins')}>
      <p>
        <Trans
          id="Somebody signed in and it was not you? <0>Change the password</0>, then <1>sign out the devices</1> that you do not know."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="password" href="#password" />,
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="devices" href="#devices" />,
          ]}
        />
      </p>
      <WhenLoaded loaded={loaded}>
        {(signIns) => (
          <>
            <ul class="rows">
              {signIns.map((signIn) => (
                <Row key={signIn.id} signIn={signIn} />
              ))}
            </ul>
            {hasMore && signIns.length >= PAGE && (
              <ActionButton action={more}>{i18n._('Show older ones')}</ActionButton>
            )}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

function Row({ signIn }: { signIn: SignIn }) {
  const { outcome, method, masked_ip, timestamp, current } = signIn;
  const how = methodText(method);
  return (
    <li>
      <div>
        <strong>{outcomeText(outcome)}</strong>{' '}
        {outcome !== 'signed_in' && outcome !== 'released' && (
          <span class="badge warning">{i18n._('Check this')}</span>
        )}
        {current && <span class="badge">{i18n._('This session')}</span>}
        <p class="quiet">
          <Ago time={timestamp} /> · {deviceName(signIn)}
          {how && ` · ${how}`}
          {masked_ip && (
            <>
              {' · '}
              <bdi>{masked_ip}</bdi>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
