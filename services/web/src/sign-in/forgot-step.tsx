import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { Field, Form } from '../shared/ui.tsx';
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
      <Form action={action} submit="Send the link">
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          hint="We send a link to choose a new password to it."
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
        If there is an account with the address <strong>{email}</strong>, a mail with a link is on its way.
        The link works for an hour. Or <a href="/reset">enter the code</a> from the mail.
      </p>
      <BackToSignIn flow={flow} />
    </>
  );
}

function BackToSignIn({ flow }: { flow: SignInFlow }) {
  return (
    <p class="actions links">
      <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
        Back to sign in
      </button>
    </p>
  );
}
