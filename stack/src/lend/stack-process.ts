import { type StackOptions, startStack } from '../start-stack.ts';

// A stack in one process, forked by one-process-stack.ts. It sends its URL to the parent, and ends on the parent's
// message or exit. A service that changes a received message fails.
const options = JSON.parse(process.argv[2] ?? '{}') as StackOptions;
const stack = await startStack({ ...options, one_process: true, frozen: true });
process.send?.({ url: stack.url, addresses: stack.addresses, console_url: stack.console_url });
process.once('message', () => process.disconnect());
process.once('disconnect', async () => {
  await stack.close();
  process.exit();
});
