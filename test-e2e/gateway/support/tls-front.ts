import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { issueCertificate, makeAuthority } from '@gatehouse/certificates/certificate-authority';

/** A TLS-terminating proxy in front of a plaintext address. */
export interface TlsFront {
  /** The port at `localhost`. */
  readonly port: number;
  /** The certificate of its authority. */
  readonly ca: string;
  close(): Promise<void>;
}

export async function openTlsFront(url: string): Promise<TlsFront> {
  const authority = await makeAuthority('test', 1);
  const { cert, key } = await issueCertificate(authority, { dns_names: ['localhost'], valid_days: 1 });
  const { hostname, port } = new URL(url);
  const open = new Set<{ destroy(): void }>();
  const server = createServer({ cert, key }, (socket) => {
    const behind = connect(Number(port), hostname);
    for (const each of [socket, behind]) {
      open.add(each);
      each.on('error', () => each.destroy()).on('close', () => open.delete(each));
    }
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    ca: authority.cert,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const each of open) each.destroy();
      }),
  };
}
