import type { Application, ClientSecret, GetInstallationsResponse } from '@gatehouse/proto/oauth2';
import type { ComponentChildren } from 'preact';
import { call } from '../../shared/api/api.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import { GuideLink } from '../guide-link.tsx';
import { hashOf } from '../route.ts';

interface Step {
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined;
  readonly text: ComponentChildren;
}

/**
 * The steps from nothing to the first token, open until all are done. The application's state says which are done, not
 * clicks.
 */
export function FirstSteps({ application }: { application: Application }) {
  const loaded = useLoaded(() => facts(application), [application.id, application.public]);
  const steps = stepsOf(application, loaded.value);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <details class="card" open={done < steps.length}>
      <summary>{i18n._('First steps: {done} of {count} done', { done, count: steps.length })}</summary>
      <Problem text={loaded.problem} />
      <ol class="steps">
        {steps.map(({ isDone, text }, index) => (
          <li key={index}>
            {isDone && <span class="badge">{i18n._('Done')}</span>} {text}
          </li>
        ))}
      </ol>
      <GuideLink />
      <button type="button" class="plain" onClick={() => void loaded.reload()}>
        {i18n._('Look again')}
      </button>
    </details>
  );
}

interface Facts extends GetInstallationsResponse {
  readonly isSecretUsed: boolean;
}

async function facts({ id, public: isPublic }: Application): Promise<Facts> {
  const path = `/oauth2/applications/${id}`;
  const [installations, secrets] = await Promise.all([
    call<GetInstallationsResponse>('GET', `${path}/installations`),
    isPublic ? [] : call<ClientSecret[]>('GET', `${path}/secrets`),
  ]);
  const isSecretUsed = secrets.some(({ last_used_at }) => last_used_at != null);
  return { ...installations, isSecretUsed: isSecretUsed || installations.has_tokens };
}

function stepsOf(application: Application, known: Facts | undefined): readonly Step[] {
  const { id, redirect_uris, public: isPublic } = application;
  return [
    { isDone: true, text: i18n._('Create the application.') },
    {
      isDone: redirect_uris.length > 0,
      text: i18n._('Add a redirect URI: the address where your application takes the code.'),
    },
    ...(isPublic
      ? []
      : [
          {
            isDone: known?.isSecretUsed,
            text: i18n._(
              'Copy the client secret to where your application runs. It is done when your application has used it.',
            ),
          },
        ]),
    {
      isDone: known?.has_authorizations,
      text: (
        <Trans
          id="Send somebody to the <0>authorization URL</0>, and let them allow your application."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="link" href={hashOf(id, 'link')} />,
          ]}
        />
      ),
    },
    {
      isDone: known?.has_tokens,
      text: (
        <Trans
          id="Exchange the code for the first token. <0>Try it</0> shows each request."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="link" href={hashOf(id, 'try')} />,
          ]}
        />
      ),
    },
  ];
}
