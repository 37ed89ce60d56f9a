import { gather } from '@gatehouse/kit/rpc';
import type { Arrived, ClientConnection } from './client-connection.ts';

/** Requests on their way in. */
export interface AdmissionQueue {
  /** To be called when a connection has requests waiting, or may begin with those it has. */
  offer(connection: ClientConnection): void;
  /** Whether a connection may bring more of them now; if not, it is resumed when it may. */
  mayBring(connection: ClientConnection): boolean;
}

export interface AdmissionQueueOptions {
  /** Most requests of one connection that are under way at once. */
  readonly max_pipelined_requests: number;
  begin(arrived: Arrived): void;
}

/** How many requests begin in one go: their calls leave in one frame. */
const AT_ONCE = 32;
/**
 * While so many connections wait for their turn, others are not parsed: a request that waits takes kilobytes, and
 * one turn of the event loop could parse a hundred thousand of thousands of connections.
 */
const MAX_TURNS = 4 * AT_ONCE;

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
  /** Connections that are not parsed, those first that have waited longest. */
  const stalled = new Set<ClientConnection>();
  /** Those whose turn to be parsed has come: they keep it until they have brought something. */
  const resumed = new WeakSet<ClientConnection>();

  function offer(connection: ClientConnection): void {
    if (connection.hasTurn || !hasWork(connection)) return;
    connection.hasTurn = true;
    turns.push(connection);
    schedule();
  }

  function hasWork({ waiting, begun }: ClientConnection): boolean {
    return waiting.length > 0 && begun < max_pipelined_requests;
  }

  function mayBring(connection: ClientConnection): boolean {
    const hasBrought = connection.waiting.length > 0;
    if (hasBrought) resumed.delete(connection);
    // Where others are held back, who has brought something waits for them.
    const hasRoom = turns.length - next < MAX_TURNS && !(hasBrought && stalled.size > 0);
    if (hasRoom || resumed.has(connection)) return true;
    stalled.add(connection);
    return false;
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(beginSome);
  }

  function beginSome(): void {
    scheduled = false;
    gather();
    for (let count = 0; count < AT_ONCE && next < turns.length; count++) {
      const connection = turns[next++] as ClientConnection;
      connection.hasTurn = false;
      beginOne(connection);
      offer(connection);
    }
    forgetThoseThatHadTheirTurn();
    resumeSome();
    if (next < turns.length || stalled.size > 0) schedule();
  }

  function resumeSome(): void {
    const room = Math.min(AT_ONCE, MAX_TURNS - (turns.length - next));
    for (const connection of [...stalled.values().take(Math.max(room, 0))]) {
      stalled.delete(connection);
      resumed.add(connection);
      connection.resume();
    }
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

  return { offer, mayBring };
}
