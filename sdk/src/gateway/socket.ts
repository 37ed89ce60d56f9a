/** The parts of a WebSocket that the Gateway client uses: that of browsers, of Node, or of the package ws. */
export interface GatewaySocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  /** Stops reading. Only the package ws has it. */
  pause?(): void;
  resume?(): void;
  /** Ends the connection without a closing handshake. Only the package ws has it. */
  terminate?(): void;
}

export type GatewaySocketClass = new (url: string) => GatewaySocket;

/** The platform's WebSocket. Node has one since version 22. */
export function platformSocket(): GatewaySocketClass {
  const { WebSocket } = globalThis as { WebSocket?: GatewaySocketClass };
  if (WebSocket === undefined)
    throw new TypeError('There is no WebSocket here: pass the class of the package ws as `WebSocket`.');
  return WebSocket;
}
