import { Fragment } from 'preact';
import type { Answer } from './read-answer.ts';

/** An answer: its status, its error, the headers of its limits, and its body. */
export function AnswerView({ answer }: { answer: Answer | undefined }) {
  return (
    <div class="answer">
      <p role="status" class="alert">
        {answer && (
          <span class={answer.status < 400 ? 'badge' : 'badge warning'}>Answer: {answer.status}</span>
        )}
      </p>
      {answer?.error && (
        <p class="notice problem">
          <a href={`/docs/errors#${answer.error.code}`}>
            <code>{answer.error.code}</code>
          </a>
          : {answer.error.message}
        </p>
      )}
      {answer && answer.headers.length > 0 && (
        <dl class="facts">
          {answer.headers.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {answer && <pre>{answer.body === '' ? '(no body)' : answer.body}</pre>}
    </div>
  );
}
