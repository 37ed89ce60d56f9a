import { stripControls } from '@gatehouse/cli/output/printable';
import { type Answer, type Call, curl, send } from './call.ts';
import { DemoError } from './demo-error.ts';
import { say } from './terminal.ts';

export interface Stepper {
  title(text: string): void;
  /** Runs a step that is one call, checks its status, and returns the response's body. */
  step<T>(text: string, call: Call, status?: number): Promise<T>;
}

/** Numbers and runs the steps of the story, and prints each: title, command, response. */
export function stepper(): Stepper {
  let number = 0;

  const title = (text: string): void => {
    number += 1;
    say(`\n${number}. ${text}`);
  };

  return {
    title,
    async step<T>(text: string, call: Call, status = 200): Promise<T> {
      title(text);
      showCommand(curl(call));
      const answer = await send(call);
      showAnswer(answer);
      if (answer.status !== status) throw new DemoError(unexpected(answer, status));
      return (/^[{[]/.test(answer.text) ? JSON.parse(answer.text) : answer.text) as T;
    },
  };
}

export function showCommand(command: string): void {
  for (const [n, line] of command.split('\n').entries()) say(`   ${n === 0 ? '$' : ' '} ${line}`);
}

/** Maximum characters of a printed body: the start of an object identifies it, while an error needs more. */
const SHOWN = { answer: 90, refusal: 300 };

export function showAnswer({ status, reason, text }: Answer): void {
  const most = status < 300 ? SHOWN.answer : SHOWN.refusal;
  const body = text.length <= most ? text : `${text.slice(0, most)}…`;
  say(stripControls(`   ${status} ${reason} ${body}`).trimEnd());
}

function unexpected({ status, headers, text }: Answer, expected: number): string {
  const wait = headers.get('retry-after');
  if (status === 429 && wait !== null) {
    return (
      `The limit of this step is used up; retry in ${wait} s.\n` +
      'An address may register 3 accounts an hour. To run the story again with the same accounts:\n' +
      '  npm run demo -- --email <email> --password <password> \\\n' +
      '    --guest-email <email> --guest-password <password>'
    );
  }
  return `Expected ${expected}, got ${status}: ${stripControls(text)}`;
}
