import { type StackOptions, startStack } from '../start-stack.ts';

// A suite in this one process, for the one that forked it (./lend-suites.ts): says where it answers, and ends when it is
// told to or its parent is gone. A service that changes a message which it received fails.
const options = JSON.parse(process.argv[2] ?? '{}') as StackOptions;
const suite = await startStack({ ...options, one_process: true, frozen: true });
process.send?.({ url: suite.url, addresses: suite.addresses });
process.once('message', () => process.disconnect());
process.once('disconnect', async () => {
  await suite.close();
  process.exit();
});
