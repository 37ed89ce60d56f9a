import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type BorrowedStack, StackPool, type StackSettings } from './stack-pool.ts';

/** The variable with the URL at which tests borrow stacks. */
export const STACK_LENDER = 'GATEHOUSE_STACK_LENDER';

/**
 * Lends stacks to test files over HTTP. A stack takes about two seconds to start, and files that only call it can
 * use it one after the other. POST with settings borrows a stack, DELETE gives it back. `close` ends them, and throws
 * if any did not end as it should.
 */
export async function lendStacks(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const pool = new StackPool();
  const server = createServer(async (request, response) => {
    try {
      const body = await json(request);
      if (request.method === 'POST') response.end(JSON.stringify(await pool.borrow(body as StackSettings)));
      else response.end(pool.giveBack(body as BorrowedStack));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
      return pool.close();
    },
  };
}
