import { useSignal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import { currentUser } from '../../shared/api/current-user.ts';
import { forgetEnded, session } from '../../shared/api/session.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { readerApplication } from '../reader-application.ts';
import { AnswerView } from './answer-view.tsx';
import { missingParameters, type ParameterValues, prepareAddress } from './prepare-address.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import type { Sendable } from './sendable.ts';

const TIMEOUT_MS = 20_000;

/** Sends a request that only reads, with the session of this tab if there is one, and shows the answer. */
export function SendRequest({ operation }: { operation: Sendable }) {
  const typed = useSignal<ParameterValues>({});
  const problems = useSignal<Readonly<Record<string, string>>>({});
  const answer = useSignal<Answer | undefined>(undefined);
  const values: ParameterValues = { ...ownValues(), ...typed.value };
  const action = useAction(async () => {
    const missing = missingParameters(operation, values);
    problems.value = Object.fromEntries(missing.map((name) => [name, 'This parameter needs a value.']));
    if (missing.length > 0) return;
    answer.value = await send(prepareAddress(operation, values), operation.takes_session);
    problems.value = answer.value.problems;
  });
  return (
    <section class="card" aria-labelledby="send">
      <h2 id="send">Send it</h2>
      <p class="quiet">
        <Sender takesSession={operation.takes_session} />
      </p>
      <Form action={action} submit="Send">
        {operation.parameters.map(({ name, type, is_required }) => (
          <Field
            key={name}
            label={name}
            hint={is_required ? type : `${type}, optional`}
            value={values[name] ?? ''}
            onValue={(value) => {
              typed.value = { ...typed.value, [name]: value };
            }}
            problem={problems.value[name]}
          />
        ))}
      </Form>
      <AnswerView answer={answer.value} />
    </section>
  );
}

/** The reader's own IDs. */
function ownValues(): ParameterValues {
  const application = readerApplication.value;
  const user_id = session.value?.user_id;
  return { ...(application && { application_id: application.id }), ...(user_id && { user_id }) };
}

function Sender({ takesSession }: { takesSession: boolean }) {
  if (!takesSession) return <>It is sent without a credential.</>;
  if (session.value)
    return <>It is sent as {currentUser.value?.username ?? 'you'}, by the session of this page.</>;
  return (
    <>
      Nobody is signed in, so it is sent without a credential. <a href="/account">Sign in</a>
    </>
  );
}

/** @throws ApiError if there is no response */
async function send(address: string, takesSession: boolean): Promise<Answer> {
  const token = takesSession ? session.peek()?.token : undefined;
  try {
    const response = await fetch(address, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'manual',
    });
    const text = await response.text();
    if (response.status === 401 && token !== undefined && token === session.peek()?.token) forgetEnded();
    return readAnswer(response, text);
  } catch {
    throw new ApiError(0, {});
  }
}
