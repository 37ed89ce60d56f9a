import type { GetSudoMethodsResponse } from '@gatehouse/proto/auth';
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ApiError, call } from './api.ts';
import { Cancelled } from './cancelled.ts';
import { Dialog, Field, Form } from './ui.tsx';
import { useAction } from './use-action.ts';

type Methods = Pick<GetSudoMethodsResponse, 'password' | 'totp' | 'webauthn' | 'has_mfa'>;

interface Asked {
  readonly methods: Methods;
  readonly answer: (proved: boolean) => void;
}

const asked = signal<Asked | undefined>(undefined);

/**
 * Does what needs sudo mode: if the server wants proof that it is really the user, asks for it and tries again
 * (docs/credentials.md#sudo-mode). A page that calls it shows <SudoQuestion />.
 */
export async function withSudo<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SUDO_MODE_REQUIRED') throw error;
    const { has_mfa, methods } = error.body as { has_mfa: boolean; methods: Omit<Methods, 'has_mfa'> };
    const proved = await new Promise<boolean>((answer) => {
      asked.value = { methods: { ...methods, has_mfa }, answer };
    });
    asked.value = undefined;
    if (!proved) throw new Cancelled();
    return await act();
  }
}

export function SudoQuestion() {
  return asked.value && <Question {...asked.value} />;
}

function Question({ methods, answer }: Asked) {
  const [proof, setProof] = useState('');
  const member = methods.has_mfa ? 'mfa_code' : 'password';
  const action = useAction(async () => {
    await call('POST', '/auth/sudo', { [member]: proof });
    answer(true);
  });
  return (
    <Dialog title="Is it really you?" onClose={() => answer(false)}>
      <Form action={action} submit="Continue">
        {methods.has_mfa ? (
          <Field
            label="Code"
            hint="From your authenticator app, or a backup code."
            autoComplete="one-time-code"
            value={proof}
            onValue={setProof}
            problem={action.problemOf(member)}
          />
        ) : (
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            value={proof}
            onValue={setProof}
            problem={action.problemOf(member)}
          />
        )}
      </Form>
    </Dialog>
  );
}
