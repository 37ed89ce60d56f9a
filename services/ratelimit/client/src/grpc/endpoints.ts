import { readFileSync } from 'node:fs';
import { type ChannelCredentials, type ChannelOptions, Client, credentials } from '@grpc/grpc-js';

/** Files in PEM form. They are read again for each new connection. */
export interface TlsFiles {
  /** The authorities that sign ratelimit's certificate; those of Node by default. */
  readonly ca_file?: string;
  /** This process's certificate and its key, for mutual TLS. */
  readonly cert_file?: string;
  readonly key_file?: string;
  /** The name in ratelimit's certificate, if it is not the host of the address. */
  readonly server_name?: string;
}

/** So that replicas added later get calls too. */
const RENEW_AFTER_MS = 300_000;
/** Minimum time between connections after failures. */
const MOVE_EVERY_MS = 1_000;

const OPTIONS: ChannelOptions = {
  'grpc.enable_http_proxy': 0,
  // Not the connection of an earlier client, which may hang.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

/** The replicas of ratelimit, called one at a time: the next one after a failure, and every five minutes. */
export class Endpoints {
  readonly #addresses: readonly string[];
  readonly #tls: TlsFiles | undefined;
  #index: number;
  #client: Client;
  #isClosed = false;
  #since_ms = performance.now();

  /** @param address host:port, or several separated by commas */
  constructor(address: string, tls: TlsFiles | undefined) {
    this.#addresses = address
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    if (this.#addresses.length === 0) throw new TypeError('no address of ratelimit');
    this.#tls = tls;
    // Clients that start together spread over the replicas.
    this.#index = Math.floor(Math.random() * this.#addresses.length);
    this.#client = this.#open(this.#index);
  }

  /** The client of the current connection. */
  current(): Client {
    if (!this.#isClosed && performance.now() - this.#since_ms >= RENEW_AFTER_MS) this.#move();
    return this.#client;
  }

  /** Moves to the next replica, or to a new connection. */
  failed(client: Client): void {
    if (client === this.#client && performance.now() - this.#since_ms >= MOVE_EVERY_MS) this.#move();
  }

  /** Open calls are still answered. */
  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }

  #move(): void {
    this.#since_ms = performance.now();
    const next = (this.#index + 1) % this.#addresses.length;
    let client: Client;
    try {
      client = this.#open(next);
    } catch {
      return; // Files that are being replaced: the next move reads them again.
    }
    this.#client.close();
    this.#client = client;
    this.#index = next;
  }

  /** @throws Error if the files of TLS cannot be used */
  #open(index: number): Client {
    const name = this.#tls?.server_name;
    return new Client(this.#addresses[index] ?? '', this.#credentials(), {
      ...OPTIONS,
      ...(name !== undefined && { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name }),
    });
  }

  #credentials(): ChannelCredentials {
    if (this.#tls === undefined) return credentials.createInsecure();
    const { ca_file, cert_file, key_file } = this.#tls;
    const read = (file: string | undefined) => (file === undefined ? null : readFileSync(file));
    return credentials.createSsl(read(ca_file), read(key_file), read(cert_file));
  }
}
