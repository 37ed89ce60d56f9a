import type { LoginResponse } from '@gatehouse/proto/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { remember, session } from '../shared/session.ts';
import { Field, Form, Tick } from '../shared/ui.tsx';
import { useAction } from '../shared/use-action.ts';

/** Its children, for who is signed in; else the way in. */
export function SignedIn({ children }: { children: ComponentChildren }) {
  return session.value ? children : <SignIn />;
}

function SignIn() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [stay, setStay] = useState(false);
  const action = useAction(async () => {
    const { token, user_id } = await call<LoginResponse>('POST', '/auth/login', { email, password });
    if (token && user_id) remember({ token, user_id }, stay);
  });
  return (
    <section class="card" aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <Form action={action} submit="Sign in">
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          value={email}
          onValue={setEmail}
          problem={action.problemOf('email')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          problem={action.problemOf('password')}
        />
        <Tick label="Stay signed in on this device" checked={stay} onChecked={setStay} />
      </Form>
    </section>
  );
}
