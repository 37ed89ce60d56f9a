import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import type { SignInFlow } from './steps.ts';

/** Requests a mail with a link to set a new password. */
export function ForgotStep({ flow }: { flow: SignInFlow }) {
  const action = useAction(async () => {
    const { email } = flow;
    await call('POST', '/auth/forgot', { email });
    flow.go({ name: 'sent', email });
  });
  return (
    <>
      <Form action={action} submit={i18n._('Send the link')}>
        <Field
          label={i18n._('E-mail address')}
          type="email"
          autoComplete="username"
          hint={i18n._('We send a link to choose a new password to it.')}
          value={flow.email}
          onValue={flow.setEmail}
          problem={action.problemOf('email')}
        />
      </Form>
      <BackToSignIn flow={flow} />
    </>
  );
}

/** Shown for every address alike, so that it does not reveal whether there is an account. */
export function SentStep({ flow, email }: { flow: SignInFlow; email: string }) {
  return (
    <>
      <p>
        <Trans
          id="If there is an account with the address <0>{email}</0>, a mail with a link is on its way. The link works for an hour. Or <1>enter the code</1> from the mail."
          components={[
            <strong key="email" dir="ltr" />,
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="code" href="/reset" />,
          ]}
          values={{ email }}
        />
      </p>
      <BackToSignIn flow={flow} />
    </>
  );
}

function BackToSignIn({ flow }: { flow: SignInFlow }) {
  return (
    <p class="actions links">
      <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
        {i18n._('Back to sign in')}
      </button>
    </p>
  );
}
