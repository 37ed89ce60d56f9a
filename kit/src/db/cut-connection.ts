import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** The parts of pg's client that its types leave out. A pool's clients have them too. */
interface Connected {
  readonly connection: { readonly stream: Socket };
  end(): Promise<void>;
}

/** Closes a connection and its socket; open statements fail. `end` alone may wait for a server that is gone. */
export function cutConnection(client: ClientBase): void {
  const connected = client as unknown as Connected;
  connected.end().catch(() => undefined); // first, so that the closed socket is no error
  connected.connection.stream.destroy();
}
