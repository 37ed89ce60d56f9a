import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mail, parseMail } from '../mails.ts';

/** A mail as a server accepted it. */
export interface Accepted extends Mail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

/** A real SMTP server. */
export interface SmtpServer {
  readonly port: number;
  /** The accepted mails. */
  readonly accepted: readonly Accepted[];
  close(): Promise<void>;
}

/** Starts a server without TLS, on a free port by default. The options make it misbehave. */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0): Promise<SmtpServer> {
  const accepted: Accepted[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        accepted.push({
          ...parseMail(raw),
          envelope: { from, to: envelope.rcptTo.map(({ address }) => address) },
        });
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined); // a client may break its connection
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port, // from a TCP server, it is an address
    accepted,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
