import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../api/api.ts';
import { Cancelled } from '../api/cancelled.ts';
import { fieldErrorText } from '../api/error-text.ts';
import { session } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { UserFacingError } from '../api/user-facing-error.ts';
import { ActionButton, Dialog, Field, Form } from '../ui.tsx';
import { answerWithPasskey, passkeyObstacleHere } from './passkey.ts';
import { type SudoMethods, type SudoWay, sudoWays } from './sudo-ways.ts';

interface Asked {
  readonly methods: SudoMethods;
  readonly answer: (proved: boolean) => void;
}

const asked = signal<Asked | undefined>(undefined);
let answered: Promise<boolean> | undefined;

/** Shorter than a sudo grant of the server, so that there is time to use it. */
const GRANTED_MS = 4 * 60_000;
let grant: { readonly session_token: string | undefined; readonly until_ms: number } = {
  session_token: undefined,
  until_ms: 0,
};

/**
 * Runs `act`. If the server requires sudo mode, asks for the proof and runs it again (docs/credentials.md#sudo-mode).
 * The page must show <SudoQuestion />.
 *
 * @throws Cancelled if the user gives no proof
 */
export async function withSudo<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const methods = methodsWanted(error);
    if (methods === undefined) throw error;
    if (!(await isProved(methods))) throw new Cancelled();
    return await act();
  }
}

/**
 * Asks for the proof first, for actions that cannot be repeated, unless this page has a recent grant.
 *
 * @throws ApiError; Cancelled
 */
export async function ensureSudo(): Promise<void> {
  const { session_token, until_ms } = grant;
  if (session_token === session.peek()?.token && Date.now() < until_ms) return;
  if (!(await isProved(await call<SudoMethods>('GET', '/users/@me/sudo/mfa-methods')))) throw new Cancelled();
}

/** Undefined for any other error. */
function methodsWanted(error: unknown): SudoMethods | undefined {
  if (!(error instanceof ApiError) || error.code !== 'SUDO_MODE_REQUIRED') return undefined;
  const { has_mfa, methods } = error.body as { has_mfa: boolean; methods: Omit<SudoMethods, 'has_mfa'> };
  return { ...methods, has_mfa };
}

/** Concurrent calls share one question. */
function isProved(methods: SudoMethods): Promise<boolean> {
  answered ??= new Promise<boolean>((answer) => {
    asked.value = { methods, answer };
  }).finally(() => {
    asked.value = undefined;
    answered = undefined;
  });
  return answered;
}

export function SudoQuestion() {
  return asked.value && <Question {...asked.value} />;
}

function Question({ methods: first, answer }: Asked) {
  const [methods, setMethods] = useState(first);
  const ways = sudoWays(methods, passkeyObstacleHere() === undefined);
  const [chosen, setChosen] = useState<SudoWay>();
  const way = chosen !== undefined && ways.includes(chosen) ? chosen : ways[0];
  // A page that is left, as when the session ends, cancels the question.
  useEffect(() => () => answer(false), []);
  const prove = async (proof: object) => {
    try {
      await call('POST', '/auth/sudo', proof);
      grant = { session_token: session.peek()?.token, until_ms: Date.now() + GRANTED_MS };
    } catch (error) {
      // A second factor was added or removed meanwhile: the kinds of proof have changed.
      const wanted = methodsWanted(error);
      if (wanted === undefined) throw error;
      return setMethods(wanted);
    }
    answer(true);
  };
  const cancel = () => answer(false);
  return (
    <Dialog title="Is it really you?" onClose={cancel}>
      {way === 'password' && <ByPassword key={way} prove={prove} cancel={cancel} />}
      {way === 'code' && <ByCode key={way} prove={prove} cancel={cancel} />}
      {way === 'passkey' && <ByPasskey key={way} prove={prove} cancel={cancel} />}
      {ways.length > 1 && (
        <p class="actions links">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <button key={other} type="button" class="plain" onClick={() => setChosen(other)}>
                {OTHER_WAY[other]}
              </button>
            ))}
        </p>
      )}
    </Dialog>
  );
}

const OTHER_WAY: Readonly<Record<SudoWay, string>> = {
  password: 'Use the password instead',
  passkey: 'Use a passkey instead',
  code: 'Use a code instead',
};

interface WayProps {
  readonly prove: (proof: object) => Promise<void>;
  readonly cancel: () => void;
}

function ByPassword({ prove, cancel }: WayProps) {
  const [password, setPassword] = useState('');
  const action = useAction(() => prove({ password }));
  return (
    <Form action={action} submit="Continue" onCancel={cancel}>
      <p>Enter your password to go on.</p>
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        problem={action.problemOf('password')}
      />
    </Form>
  );
}

function ByCode({ prove, cancel }: WayProps) {
  const [mfa_code, setCode] = useState('');
  const action = useAction(() => prove({ mfa_code }));
  return (
    <Form action={action} submit="Continue" onCancel={cancel}>
      <Field
        label="Code"
        hint="From your authenticator app, or a backup code. Each code works once."
        autoComplete="one-time-code"
        value={mfa_code}
        onValue={setCode}
        problem={action.problemOf('mfa_code')}
      />
    </Form>
  );
}

function ByPasskey({ prove, cancel }: WayProps) {
  const action = useAction(async () => {
    const sudo_proof = await answerWithPasskey('/users/@me/sudo/webauthn/authentication-options');
    await prove({ sudo_proof }).catch((error: unknown) => {
      const words = fieldErrorText(error, 'sudo_proof');
      throw words === undefined ? error : new UserFacingError(words);
    });
  });
  return (
    <>
      <p>Confirm with a passkey to go on.</p>
      <div class="actions">
        <ActionButton action={action} kind="primary">
          Use a passkey
        </ActionButton>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
