import type { LoginPasskeyResponse, LoginResponse } from '@gatehouse/proto/auth';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { answerWithPasskey, passkeyObstacleHere } from '../shared/sudo/passkey.ts';
import { ActionButton, Field, Form, Notice, Problem } from '../shared/ui.tsx';
import { afterPassword, heldBy, type Way } from './steps.ts';

interface Props {
  readonly way: Way;
  readonly stay: ComponentChildren;
  readonly notice: string | undefined;
}

/** The first step: a password, or a passkey alone. */
export function Password({ way, stay, notice }: Props) {
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    const next = await login(way.email, password);
    if ('name' in next) way.go(next);
    else way.finish(next);
  });
  const ofPassword = action.problemOf('password');
  const ofEmail = action.problemOf('email');
  return (
    <>
      {notice && <Notice>{notice}</Notice>}
      <Form action={action} submit="Sign in">
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username"
          value={way.email}
          onValue={way.setEmail}
          problem={ofEmail === ofPassword ? undefined : ofEmail}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          problem={ofPassword}
        />
        {stay}
      </Form>
      {passkeyObstacleHere() === undefined && <PasskeyButton way={way} />}
      <p class="actions links">
        <button type="button" class="plain" onClick={() => way.go({ name: 'forgot' })}>
          Forgot your password?
        </button>
        <button type="button" class="plain" onClick={() => way.go({ name: 'register' })}>
          Create an account
        </button>
      </p>
    </>
  );
}

async function login(email: string, password: string) {
  try {
    return afterPassword(await call<LoginResponse>('POST', '/auth/login', { email, password }));
  } catch (error) {
    const held = heldBy(error);
    if (held) return held;
    throw error;
  }
}

function PasskeyButton({ way }: { way: Way }) {
  const action = useAction(async () => {
    const response = await answerWithPasskey('/auth/webauthn/authentication-options');
    way.finish(await call<LoginPasskeyResponse>('POST', '/auth/webauthn/authenticate', { response }));
  });
  const unknown = action.problemOf('response') && 'This passkey is not known here.';
  return (
    <div class="or">
      <ActionButton action={action}>Sign in with a passkey</ActionButton>
      <Problem text={unknown} />
    </div>
  );
}
