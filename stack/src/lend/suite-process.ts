import { type StackOptions, startStack } from '../start-stack.ts';

// A stack in one process, forked by lend-suites.ts. It sends its URL to the parent, and ends on the parent's
// message or exit. A service that changes a received message fails.
const options = JSON.parse(process.argv[2] ?? '{}') as StackOptions;
const suite = await startStack({ ...options, one_process: true, frozen: true });
process.send?.({ url: suite.url, addresses: suite.addresses });
process.once('message', () => process.disconnect());
process.once('disconnect', async () => {
  await suite.close();
  process.exit();
});
