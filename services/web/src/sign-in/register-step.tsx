import type { RegisterResponse } from '@gatehouse/proto/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { Field, Form } from '../shared/ui.tsx';
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
  });
  return (
    <>
      <Form action={action} submit="Create the account">
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          value={flow.email}
          onValue={flow.setEmail}
          problem={action.problemOf('email')}
        />
        <Field
          label="User name"
          autoComplete="nickname"
          hint="Others see it. Letters from A to Z, digits, dots and underscores."
          value={username}
          onValue={setUsername}
          problem={action.problemOf('username')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters."
          value={password}
          onValue={setPassword}
          problem={action.problemOf('password')}
        />
        {staySignedInBox}
      </Form>
      <p class="actions links">
        <button type="button" class="plain" onClick={() => flow.go({ name: 'password' })}>
          I have an account
        </button>
      </p>
    </>
  );
}
