import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasEnded, isResuming, isSigningIn, remember, session } from '../shared/api/session.ts';
import { branding } from '../shared/branding/branding.tsx';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { Checkbox } from '../shared/ui/checkbox.tsx';
import { ForgotStep, SentStep } from './forgot-step.tsx';
import { HeldStep } from './held-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RegisterStep } from './register-step.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';
import { StepCard } from './step-card.tsx';
import type { SignInFlow, Step } from './steps.ts';
import { useStep } from './use-step.ts';

/** The fragment of a link to the step that creates an account: `/account#register`. */
const REGISTER_LINK = '#register';
const PASSWORD: Step = { name: 'password' };
const REGISTER: Step = { name: 'register' };
const ENDED: Step = {
  name: 'password',
  get notice() {
    return i18n._('Your session has ended: it was signed out elsewhere, or is too old. Sign in again.');
  },
};

/**
 * Shows its children to a signed-in user, and the sign-in form otherwise. Until it is known whether there is a user, it
 * shows neither. Each account starts with fresh state. `hint` fills the address.
 */
export function SignedIn({ children, hint }: { children: ComponentChildren; hint?: string | undefined }) {
  const user_id = session.value?.user_id;
  const isSignedIn = user_id !== undefined;
  const before = useRef(isSignedIn);
  const hasSignedOut = useRef(false);
  const [wantsAccount] = useState(takeRegisterLink);
  if (before.current && !isSignedIn) hasSignedOut.current = true;
  useEffect(() => {
    if (!before.current && isSignedIn) document.getElementById('main')?.focus();
    before.current = isSignedIn;
  }, [isSignedIn]);
  if (isSignedIn) return <Fragment key={user_id}>{children}</Fragment>;
  if (isResuming.value) return <p role="status">{i18n._('Loading…')}</p>;
  const first = wantsAccount && !hasSignedOut.current ? REGISTER : PASSWORD;
  const start = hasEnded.value ? ENDED : first;
  return <SignIn start={start} takesFocus={hasSignedOut.current} hint={hint} />;
}

/** Whether the link to this page asks for a new account. Takes that out of the address: it counts once. */
function takeRegisterLink(): boolean {
  const isAsked = location.hash === REGISTER_LINK;
  if (isAsked) history.replaceState(history.state, '', location.pathname + location.search);
  return isAsked;
}

function titles(): Readonly<Record<Step['name'], ComponentChildren>> {
  const product = <bdi>{branding.product_name}</bdi>;
  return {
    password: <Trans id="Sign in to {product}" values={{ product }} />,
    'second-factor': i18n._('Second step'),
    held: i18n._('Check your mail'),
    forgot: i18n._('Forgotten password'),
    sent: i18n._('Check your mail'),
    register: i18n._('Create an account'),
  };
}

/** The sign-in form, starting at a step. When it is done, `session` has a value. */
export function SignIn(props: { start?: Step; takesFocus?: boolean; hint?: string | undefined }) {
  const { start = PASSWORD, takesFocus = false, hint = '' } = props;
  const [step, go, end] = useStep(start);
  const hasMoved = useRef(false);
  if (step !== start) hasMoved.current = true;
  const [email, setEmail] = useState(hint);
  useEffect(() => {
    isSigningIn.value = step !== start || email !== hint;
    return () => {
      isSigningIn.value = false;
    };
  }, [step, email]);
  const [isPersistent, setPersistent] = useState(false);
  const flow: SignInFlow = {
    go,
    finish: (opened) => {
      end();
      remember(opened, isPersistent);
    },
    email,
    setEmail,
  };
  return (
    <StepCard key={step.name} title={titles()[step.name]} takesFocus={takesFocus || hasMoved.current}>
      {stepOf(
        step,
        flow,
        <Checkbox
          label={i18n._('Stay signed in on this device')}
          checked={isPersistent}
          onChecked={setPersistent}
        />,
      )}
    </StepCard>
  );
}

function stepOf(step: Step, flow: SignInFlow, staySignedInBox: ComponentChildren): ComponentChildren {
  switch (step.name) {
    case 'password':
      return <PasswordStep flow={flow} staySignedInBox={staySignedInBox} notice={step.notice} />;
    case 'second-factor':
      return <SecondFactorStep flow={flow} {...step} />;
    case 'held':
      return <HeldStep flow={flow} login={step} />;
    case 'forgot':
      return <ForgotStep flow={flow} />;
    case 'sent':
      return <SentStep flow={flow} email={step.email} />;
    case 'register':
      return <RegisterStep flow={flow} staySignedInBox={staySignedInBox} />;
  }
}
