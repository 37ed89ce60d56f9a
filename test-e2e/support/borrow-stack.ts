import { STACK_LENDER } from '@gatehouse/stack/lend/lend-stacks';
import type { BorrowedStack, StackSettings } from '@gatehouse/stack/lend/stack-pool';

/** Borrows a stack with these settings for exclusive use until it is returned: an idle one, or a new one. */
export async function borrowStack(
  settings: StackSettings,
): Promise<BorrowedStack & { giveBack(): Promise<void> }> {
  const stack = (await ask('POST', settings).then((response) => response.json())) as BorrowedStack;
  const giveBack = async () => {
    await ask('DELETE', stack);
  };
  return { ...stack, giveBack };
}

async function ask(method: string, body: StackSettings | BorrowedStack): Promise<Response> {
  const lender = process.env[STACK_LENDER];
  if (lender === undefined) throw new Error(`${STACK_LENDER} is not set: run the tests by npm test`);
  const response = await fetch(lender, { method, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`cannot borrow a stack: ${await response.text()}`);
  return response;
}
