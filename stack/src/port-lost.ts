/** Another connection or program took a process's port after it was chosen. */
export class PortLost extends Error {
  constructor(name: string, port: number) {
    super(`${name} cannot listen on port ${port}, which another connection or program has taken`);
    this.name = 'PortLost';
  }
}

/** The port in Node's message for a port in use. Undefined for any other message. */
export function lostPort(message: string): number | undefined {
  const port = /EADDRINUSE.*?:(\d{1,5})\b(?!:)/.exec(message)?.[1];
  return port === undefined ? undefined : Number(port);
}
