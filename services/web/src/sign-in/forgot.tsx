import { useState } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { Field, Form, Notice } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';
import type { Way } from './steps.ts';

/** Has a link mailed that sets a new password. What it shows is the same for every address. */
export function Forgot({ way }: { way: Way }) {
  const [sentTo, setSentTo] = useState<string | undefined>(undefined);
  const action = useAction(async () => {
    const { email } = way;
    await call('POST', '/auth/forgot', { email });
    setSentTo(email);
  });
  return (
    <>
      {sentTo === undefined ? (
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
      ) : (
        <Notice>
          If there is an account with the address {sentTo}, a mail with a link is on its way. The link works
          for an hour.
        </Notice>
      )}
      <p class="actions links">
        <button type="button" class="plain" onClick={() => way.go({ name: 'password' })}>
          Back to sign in
        </button>
      </p>
    </>
  );
}
