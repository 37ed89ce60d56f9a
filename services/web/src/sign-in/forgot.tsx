import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { Field, Form } from '../shared/ui.tsx';
import type { Way } from './steps.ts';

/** Requests a mail with a link to set a new password. */
export function Forgot({ way }: { way: Way }) {
  const action = useAction(async () => {
    const { email } = way;
    await call('POST', '/auth/forgot', { email });
    way.go({ name: 'sent', email });
  });
  return (
    <>
      <Form action={action} submit="Send the link">
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          hint="A link to choose a new password is sent to it."
          value={way.email}
          onValue={way.setEmail}
          problem={action.problemOf('email')}
        />
      </Form>
      <BackToSignIn way={way} />
    </>
  );
}

/** The same for every address, so that it does not reveal whether there is an account. */
export function Sent({ way, email }: { way: Way; email: string }) {
  return (
    <>
      <p>
        If there is an account with the address <strong>{email}</strong>, a mail with a link is on its way.
        The link works for an hour. Or <a href="/reset">enter the code</a> that the mail has.
      </p>
      <BackToSignIn way={way} />
    </>
  );
}

function BackToSignIn({ way }: { way: Way }) {
  return (
    <p class="actions links">
      <button type="button" class="plain" onClick={() => way.go({ name: 'password' })}>
        Back to sign in
      </button>
    </p>
  );
}
