import type { OwnJobs } from '@gatehouse/kit/jobs/jobs-service';
import type { Logger } from '@gatehouse/kit/log';
import type { PeerOptions } from '@gatehouse/kit/process/runtime';
import { type CallOptions, type Client, type Connection, connect } from '@gatehouse/kit/rpc';
import { JobsServiceDefinition } from '@gatehouse/proto/kit/jobs';
import type { ServerName } from '@gatehouse/proto/services';
import type { Addresses } from '../config.ts';
import { fault } from '../errors.ts';
import { knownAddresses } from '../known-addresses.ts';

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
  /** The console's own jobs. */
  readonly own: OwnJobs;
  readonly log: Logger;
}

type JobsConnection = Connection<typeof JobsServiceDefinition>;

/** The methods of JobsService, at one process. */
type JobsClient = Pick<Client<typeof JobsServiceDefinition>, 'listJobs' | 'runJob'>;

/**
 * The processes behind the addresses of the services, each with a connection of its own, and this console, which is asked
 * without one. Other replicas of the console are not known here.
 */
export class Processes {
  readonly #resolvers: readonly { service: ServerName; resolve: () => Promise<readonly string[]> }[];
  readonly #peer: ProcessesOptions['peer'];
  readonly #connections = new Map<string, JobsConnection>();
  readonly #ownClient: JobsClient;
  #own: JobProcess | undefined;

  constructor({ addresses, peer, own, log }: ProcessesOptions) {
    this.#peer = peer;
    this.#ownClient = {
      listJobs: () => own.listJobs(),
      runJob: async ({ name }) => {
        own.runJob(name ?? '', log);
        return {};
      },
    };
    const { webhook_delivery, ...others } = addresses;
    const named: Readonly<Record<string, string>> = { ...others, 'webhook-delivery': webhook_delivery };
    this.#resolvers = Object.entries(named).map(([service, address]) => ({
      service: service as ServerName, // the members of Addresses are the names of services
      resolve: knownAddresses(address),
    }));
  }

  /** Call it once the console serves gRPC: it is one of the processes then. */
  addOwn(address: string): void {
    this.#own = { service: 'console', address };
  }

  /** All processes, by the names of their services as they resolve now. */
  async list(): Promise<JobProcess[]> {
    const lists = await Promise.all(
      this.#resolvers.map(async ({ service, resolve }) =>
        (await resolve()).map((address) => ({ service, address })),
      ),
    );
    const found = lists.flat();
    this.#closeOthers(new Set(found.map(keyOf)));
    return this.#own === undefined ? found : [...found, this.#own];
  }

  /** The client of one process. */
  client(process: JobProcess): JobsClient {
    const { service, address } = process;
    if (service === this.#own?.service) return this.#ownClient;
    const key = keyOf(process);
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
    this.#closeOthers(new Set());
  }

  /** Replaced replicas leave no connections. */
  #closeOthers(wanted: ReadonlySet<string>): void {
    for (const [key, connection] of this.#connections) {
      if (wanted.has(key)) continue;
      connection.close();
      this.#connections.delete(key);
    }
  }
}

function keyOf({ service, address }: JobProcess): string {
  return `${service} ${address}`;
}
