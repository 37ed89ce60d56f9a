import { addressResolver } from '@gatehouse/kit/net/resolve-addresses';
import type { PeerOptions } from '@gatehouse/kit/process/runtime';
import { type CallOptions, type Client, type Connection, connect } from '@gatehouse/kit/rpc';
import { JobsServiceDefinition } from '@gatehouse/proto/kit/jobs';
import type { ServerName } from '@gatehouse/proto/services';
import type { Addresses } from '../config.ts';
import { fault } from '../errors.ts';

/** A process of a service: one replica. */
export interface JobProcess {
  readonly service: ServerName;
  /** host:port */
  readonly address: string;
}

/** A job of one process. */
export interface ProcessJob {
  readonly service: string;
  readonly address: string;
  readonly name: string;
}

export interface ProcessesOptions {
  readonly addresses: Addresses;
  /** Connection options for the service with this name. */
  readonly peer: (name: string) => PeerOptions;
}

type JobsConnection = Connection<typeof JobsServiceDefinition>;

/** The processes behind the addresses of the services, each with a connection of its own. */
export class Processes {
  readonly #resolvers: readonly { service: ServerName; resolve: () => Promise<readonly string[]> }[];
  readonly #peer: ProcessesOptions['peer'];
  readonly #connections = new Map<string, JobsConnection>();

  constructor({ addresses, peer }: ProcessesOptions) {
    this.#peer = peer;
    const { webhook_delivery, ...others } = addresses;
    const named: Readonly<Record<string, string>> = { ...others, 'webhook-delivery': webhook_delivery };
    this.#resolvers = Object.entries(named).map(([service, address]) => ({
      service: service as ServerName, // the members of Addresses are the names of services
      resolve: addressResolver(address),
    }));
  }

  /** All processes, by the names of their services as they resolve now. */
  async list(): Promise<JobProcess[]> {
    const lists = await Promise.all(
      this.#resolvers.map(async ({ service, resolve }) =>
        (await resolve()).map((address) => ({ service, address })),
      ),
    );
    return lists.flat();
  }

  /** The client of one process. */
  client({ service, address }: JobProcess): Client<typeof JobsServiceDefinition> {
    const key = `${service} ${address}`;
    const known = this.#connections.get(key);
    if (known !== undefined) return known.client;
    const made = connect(JobsServiceDefinition, { address, ...this.#peer(service) });
    this.#connections.set(key, made);
    return made.client;
  }

  /**
   * Starts a job now.
   *
   * @throws NOT_FOUND for an address that is none of the service's: the console calls no others
   */
  async run({ service, address, name }: ProcessJob, options: CallOptions): Promise<void> {
    const known = await this.list();
    const found = known.find((one) => one.service === service && one.address === address);
    if (found === undefined) throw fault('NOT_FOUND', { message: 'There is no such process.' });
    await this.client(found).runJob({ name }, options);
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
  }
}
