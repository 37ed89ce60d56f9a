import type { RegisterResponse } from '@gatehouse/proto/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { showToast } from '../shared/ui/toast.tsx';
import type { SignInFlow } from './steps.ts';

/** Creates an account and signs in. */
export function RegisterStep({
  flow,
  staySignedInBox,
}: {
  flow: SignInFlow;
  staySignedInBox: ComponentChildren;
}) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    const body = { email: flow.email, username, password };
    flow.finish(await call<RegisterResponse>('POST', '/auth/register', body));
    showToast(
      i18n._('Your account is ready. To confirm your address, open the link in the mail that we sent.'),
    );
  });
  return (
    <>
      <Form action={action} submit={i18n._('Create the account')}>
        <Field
          label={i18n._('E-mail address')}
          type="email"
          autoComplete="username"
          value={flow.email}
          onValue={flow.setEmail}
          problem={action.problemOf('email')}
        />
        <Field
          label={i18n._('User name')}
          autoComplete="nickname"
          hint={i18n._('Others see it. Letters from A to Z, digits, dots and underscores.')}
          value={username}
          onValue={setUsername}
          problem={action.problemOf('username')}
        />
        <Field
          label={i18n._('Password')}
          type="password"
          autoComplete="new-password"
          hint={i18n._('At least 8 characters.')}
          value={password}
          onValue={setPassword}
          problem={action.problemOf('password')}
        />
        {staySignedInBox}
      </Form>
      <p class="actions links">
        <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
          {i18n._('I have an account')}
        </button>
      </p>
    </>
  );
}
