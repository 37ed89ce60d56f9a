import { type LentSuite, SUITE_LENDER, type SuiteSettings } from '@gatehouse/stack/lend/lend-suites';

/** A suite with these settings that nobody else has until it is given back: one that is free, or a new one. */
export async function borrowSuite(
  settings: SuiteSettings,
): Promise<LentSuite & { giveBack(): Promise<void> }> {
  const suite = (await ask('POST', settings).then((response) => response.json())) as LentSuite;
  const giveBack = async () => {
    await ask('DELETE', suite);
  };
  return { ...suite, giveBack };
}

async function ask(method: string, body: SuiteSettings | LentSuite): Promise<Response> {
  const lender = process.env[SUITE_LENDER];
  if (lender === undefined) throw new Error(`${SUITE_LENDER} is not set: run the tests by npm test`);
  const response = await fetch(lender, { method, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`there is no suite to borrow: ${await response.text()}`);
  return response;
}
