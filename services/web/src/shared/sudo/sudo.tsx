import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, call } from '../api/api.ts';
import { Cancelled } from '../api/cancelled.ts';
import { fieldErrorText } from '../api/error-text.ts';
import { session } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { UserFacingError } from '../api/user-facing-error.ts';
import { i18n } from '../i18n/i18n.ts';
import { answerWithPasskey, passkeyObstacleHere } from '../passkey.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { type ProofKind, proofKinds, type SudoMethods } from './proof-kinds.ts';

interface OpenQuestion {
  readonly methods: SudoMethods;
  readonly answer: (proved: boolean) => void;
}

const openQuestion = signal<OpenQuestion | undefined>(undefined);
let pendingAnswer: Promise<boolean> | undefined;

/** Shorter than the server's sudo grant, which leaves time to use it. */
const GRANTED_MS = 4 * 60_000;
let grant: { readonly sessionToken: string | undefined; readonly until_ms: number } = {
  sessionToken: undefined,
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
    const methods = requiredMethods(error);
    if (methods === undefined) throw error;
    if (!(await askForProof(methods))) throw new Cancelled();
    return await act();
  }
}

/**
 * Asks for the proof first, for actions that cannot be repeated, unless this page has a recent grant.
 *
 * @throws ApiError; Cancelled
 */
export async function ensureSudo(): Promise<void> {
  const { sessionToken, until_ms } = grant;
  if (sessionToken === session.peek()?.token && Date.now() < until_ms) return;
  if (!(await askForProof(await call<SudoMethods>('GET', '/users/@me/sudo/mfa-methods'))))
    throw new Cancelled();
}

/** The accepted methods, if the error asks for sudo mode. */
function requiredMethods(error: unknown): SudoMethods | undefined {
  if (!(error instanceof ApiError) || error.code !== 'SUDO_MODE_REQUIRED') return undefined;
  const { has_mfa, methods } = error.body as { has_mfa: boolean; methods: Omit<SudoMethods, 'has_mfa'> };
  return { ...methods, has_mfa };
}

/** Resolves to false if the user gives no proof. Concurrent calls share one question. */
function askForProof(methods: SudoMethods): Promise<boolean> {
  pendingAnswer ??= new Promise<boolean>((answer) => {
    openQuestion.value = { methods, answer };
  }).finally(() => {
    openQuestion.value = undefined;
    pendingAnswer = undefined;
  });
  return pendingAnswer;
}

export function SudoQuestion() {
  return openQuestion.value && <SudoDialog {...openQuestion.value} />;
}

function SudoDialog({ methods: first, answer }: OpenQuestion) {
  const [methods, setMethods] = useState(first);
  const kinds = proofKinds(methods, passkeyObstacleHere() === undefined);
  const [chosen, setChosen] = useState<ProofKind>();
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : kinds[0];
  // Cancels the question when its page is gone, such as after the session ended.
  useEffect(() => () => answer(false), []);
  const prove = async (proof: object) => {
    try {
      await call('POST', '/auth/sudo', proof);
      grant = { sessionToken: session.peek()?.token, until_ms: Date.now() + GRANTED_MS };
    } catch (error) {
      // A second factor was added or removed meanwhile: the kinds of proof have changed.
      const required = requiredMethods(error);
      if (required === undefined) throw error;
      return setMethods(required);
    }
    answer(true);
  };
  const cancel = () => answer(false);
  return (
    <Dialog title={i18n._('Is it really you?')} onClose={cancel}>
      {kind === 'password' && <ByPassword key={kind} prove={prove} cancel={cancel} />}
      {kind === 'code' && <ByCode key={kind} prove={prove} cancel={cancel} />}
      {kind === 'passkey' && <ByPasskey key={kind} prove={prove} cancel={cancel} />}
      {kinds.length > 1 && (
        <p class="actions links">
          {kinds
            .filter((other) => other !== kind)
            .map((other) => (
              <button key={other} type="button" class="plain" onClick={() => setChosen(other)}>
                {switchText(other)}
              </button>
            ))}
        </p>
      )}
    </Dialog>
  );
}

function switchText(kind: ProofKind): string {
  if (kind === 'password') return i18n._('Use the password instead');
  return kind === 'passkey' ? i18n._('Use a passkey instead') : i18n._('Use a code instead');
}

interface ProofFormProps {
  readonly prove: (proof: object) => Promise<void>;
  readonly cancel: () => void;
}

function ByPassword({ prove, cancel }: ProofFormProps) {
  const [password, setPassword] = useState('');
  const action = useAction(() => prove({ password }));
  return (
    <Form action={action} submit={i18n._('Continue')} onCancel={cancel}>
      <p>{i18n._('Enter your password to go on.')}</p>
      <Field
        label={i18n._('Password')}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        problem={action.problemOf('password')}
      />
    </Form>
  );
}

function ByCode({ prove, cancel }: ProofFormProps) {
  const [mfa_code, setCode] = useState('');
  const action = useAction(() => prove({ mfa_code }));
  return (
    <Form action={action} submit={i18n._('Continue')} onCancel={cancel}>
      <Field
        label={i18n._('Code')}
        hint={i18n._('From your authenticator app, or a backup code. Each code works once.')}
        autoComplete="one-time-code"
        value={mfa_code}
        onValue={setCode}
        problem={action.problemOf('mfa_code')}
      />
    </Form>
  );
}

function ByPasskey({ prove, cancel }: ProofFormProps) {
  const action = useAction(async () => {
    const sudo_proof = await answerWithPasskey('/users/@me/sudo/webauthn/authentication-options');
    await prove({ sudo_proof }).catch((error: unknown) => {
      const text = fieldErrorText(error, 'sudo_proof');
      throw text === undefined ? error : new UserFacingError(text);
    });
  });
  return (
    <>
      <p>{i18n._('Confirm with a passkey to go on.')}</p>
      <div class="actions">
        <ActionButton action={action} kind="primary">
          {i18n._('Use a passkey')}
        </ActionButton>
        <button type="button" onClick={cancel}>
          {i18n._('Cancel')}
        </button>
      </div>
    </>
  );
}
