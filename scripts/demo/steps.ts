import { stripControls } from '@gatehouse/cli/output/printable';
import { type Answer, type Call, curl, send } from './call.ts';
import { DemoError } from './demo-error.ts';
import { say } from './terminal.ts';

export interface Stepper {
  title(text: string): void;
  /** A step that is one call and must be answered with `status`; gives the answer's body. */
  step<T>(text: string, call: Call, status?: number): Promise<T>;
}

/** Numbers the steps of a walk, does each, and prints it: what, the command, the answer. */
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

/** Characters. Of an object its start tells which it is; a refusal says what was wrong. */
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
      `The limit of this step is used up; the next is admitted in ${wait} s.\n` +
      'Registrations are 3 an hour and address. To walk the story again with the accounts of before:\n' +
      '  npm run demo -- --email <email> --password <password> \\\n' +
      '    --guest-email <email> --guest-password <password>'
    );
  }
  return `Expected ${expected}, got ${status}: ${stripControls(text)}`;
}
