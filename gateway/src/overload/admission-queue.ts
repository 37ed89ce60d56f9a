import { beginTurn } from '@gatehouse/kit/rpc/turn';
import type { Arrived, ClientConnection } from './client-connection.ts';

/** Requests on their way in. */
export interface AdmissionQueue {
  /** To be called when a connection has requests waiting, or may begin with those it has. */
  offer(connection: ClientConnection): void;
}

export interface AdmissionQueueOptions {
  /** Most requests of one connection that are under way at once. */
  readonly max_pipelined_requests: number;
  begin(arrived: Arrived): void;
}

/** How many requests begin in one go: their calls leave in one frame. */
const AT_ONCE = 32;

/**
 * Begins requests once all sockets that are ready were read, some at a time, a connection after the other. So
 * nobody waits behind all that another client has pipelined; and what one turn of the event loop reads does not
 * go from service to service as one, while one process works and the others wait.
 */
export function admissionQueue({ max_pipelined_requests, begin }: AdmissionQueueOptions): AdmissionQueue {
  /** Connections with something to begin, each once, from `next` on. */
  let turns: ClientConnection[] = [];
  let next = 0;
  let scheduled = false;

  function offer(connection: ClientConnection): void {
    if (connection.hasTurn || !hasWork(connection)) return;
    connection.hasTurn = true;
    turns.push(connection);
    schedule();
  }

  function hasWork({ waiting, begun }: ClientConnection): boolean {
    return waiting.length > 0 && begun < max_pipelined_requests;
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(beginSome);
  }

  function beginSome(): void {
    scheduled = false;
    beginTurn();
    for (let count = 0; count < AT_ONCE && next < turns.length; count++) {
      const connection = turns[next++] as ClientConnection;
      connection.hasTurn = false;
      beginOne(connection);
      offer(connection);
    }
    forgetThoseThatHadTheirTurn();
    if (next < turns.length) schedule();
  }

  function beginOne(connection: ClientConnection): void {
    const arrived = connection.waiting.shift();
    if (arrived === undefined || connection.socket.destroyed) return;
    connection.begun++;
    begin(arrived);
  }

  function forgetThoseThatHadTheirTurn(): void {
    if (next < turns.length && next < AT_ONCE * 8) return;
    turns = turns.slice(next);
    next = 0;
  }

  return { offer };
}
