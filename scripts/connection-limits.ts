/** Limits the number of open connections, per network and in total (ADR 45). */
import type { Socket } from 'node:net';
import { networkOf } from '../src/lib/network.ts';
import { hold, release } from './held-sockets.ts';

/** How long a new connection waits for a free slot before it is refused, in milliseconds. */
const WAIT_MS = 1000;
/**
 * How long a connection must be idle before it may be closed to free its slot for a waiting connection, in
 * milliseconds.
 */
const MIN_IDLE_MS = 200;
const CHECK_MS = 50;
/** How long the proxy stops reading from a network after receiving data that is expensive to parse, in milliseconds. */
const PAUSE_MS = 100;
/** The limit on waiting connections. The oldest one is refused when the limit is exceeded. */
const MAX_WAITING = 512;

export interface ConnectionCaps {
  /** The limit for each IPv4 address or IPv6 /64 network. */
  perNetwork: number;
  total: number;
}

export type Full = 'network' | 'total';

interface Handlers {
  refuse(socket: Socket, full: Full): void;
  /** Closes a connection that is being served, because its network or the whole service has too many. */
  evict(socket: Socket, full: Full): void;
  /** Returns the connections whose clients are waiting for a response. */
  busy(): ReadonlySet<Socket>;
}

interface Connection {
  socket: Socket;
  /** Starts reading from the connection. */
  serve: () => void;
  network: string;
  bytesRead: number;
  /** The time at which the connection was accepted, in milliseconds (`performance.now()`). */
  since: number;
  /**
   * The time, in milliseconds, at which the connection was admitted or the client was last seen sending data or waiting
   * for a response.
   */
  idleSince: number;
}

/**
 * Serves connections up to the limits. A new connection beyond the limits replaces the connection that has been idle
 * longest, so idle connections cannot lock other callers out. The new connection is refused if none becomes idle within
 * WAIT_MS.
 */
export class ConnectionLimits {
  readonly #caps: ConnectionCaps;
  readonly #handlers: Handlers;
  readonly #served = new Map<Socket, Connection>();
  readonly #networks = new Map<string, Set<Connection>>();
  readonly #waiting = new Set<Connection>();
  readonly #paused = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(caps: ConnectionCaps, handlers: Handlers) {
    this.#caps = caps;
    this.#handlers = handlers;
  }

  /** Returns the network of a served connection, which is an IPv4 address or an IPv6 /64. */
  networkOf(socket: Socket): string {
    return this.#served.get(socket)?.network ?? '';
  }

  /** Calls `serve` when the connection is admitted. */
  accept(socket: Socket, serve: () => void): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const since = performance.now();
    const connection = { socket, serve, network, bytesRead: 0, since, idleSince: since };
    // Each pipelined request adds a listener, which Node would report as a possible leak.
    socket.setMaxListeners(0);
    socket.on('close', () => this.#forget(connection));
    if (this.#full(network) === null) {
      this.#serve(connection);
      return;
    }
    socket.on('error', () => {});
    this.#waiting.add(connection);
    if (this.#waiting.size > MAX_WAITING) this.#refuse(first(this.#waiting)!);
    this.#timer ??= setInterval(() => this.#admitWaiting(performance.now()), CHECK_MS);
  }

  /**
   * Pauses reading from this connection's network. Node parses everything that a socket has received before it
   * continues with the next socket. That can take over 10 ms per socket, so 64 connections from one network would delay
   * all other callers.
   */
  pauseNetwork(socket: Socket): void {
    const network = this.networkOf(socket);
    if (network === '' || this.#paused.has(network)) return;
    this.#paused.add(network);
    for (const { socket } of this.#networks.get(network) ?? []) hold(socket, this);
    const resume = () => {
      this.#paused.delete(network);
      for (const { socket } of this.#networks.get(network) ?? []) release(socket, this);
    };
    setTimeout(resume, PAUSE_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of [...this.#waiting, ...this.#served.values()]) socket.destroy();
  }

  #full(network: string): Full | null {
    if (this.#paused.has(network)) return 'network';
    if ((this.#networks.get(network)?.size ?? 0) >= this.#caps.perNetwork) return 'network';
    return this.#served.size >= this.#caps.total ? 'total' : null;
  }

  #serve(connection: Connection): void {
    const { socket, network } = connection;
    // The idle time starts now, because bytes that arrived during the wait have not been read yet.
    connection.idleSince = performance.now();
    this.#served.set(socket, connection);
    let ofNetwork = this.#networks.get(network);
    if (!ofNetwork) {
      ofNetwork = new Set();
      this.#networks.set(network, ofNetwork);
    }
    ofNetwork.add(connection);
    connection.serve();
  }

  #refuse(connection: Connection): void {
    this.#waiting.delete(connection);
    this.#handlers.refuse(connection.socket, this.#full(connection.network) ?? 'total');
  }

  #forget(connection: Connection): void {
    const { socket, network } = connection;
    this.#waiting.delete(connection);
    if (!this.#served.delete(socket)) return;
    const ofNetwork = this.#networks.get(network)!;
    ofNetwork.delete(connection);
    if (ofNetwork.size === 0) this.#networks.delete(network);
  }

  /** Admits the newest connections first, because an attacker's connections have usually been waiting longest. */
  #admitWaiting(now: number): void {
    const busy = this.#handlers.busy();
    for (const connection of this.#served.values()) {
      const { bytesRead } = connection.socket;
      if (bytesRead === connection.bytesRead && !busy.has(connection.socket)) continue;
      connection.bytesRead = bytesRead;
      connection.idleSince = now;
    }
    // No further connections from these networks can be admitted in this run.
    const fullNetworks = new Set(this.#paused);
    for (const connection of [...this.#waiting].toReversed()) {
      const { network } = connection;
      const full = this.#full(network);
      if (full === null || (!fullNetworks.has(network) && this.#makeSlot(network, full, now))) {
        this.#waiting.delete(connection);
        this.#serve(connection);
      } else {
        fullNetworks.add(network);
        if (now - connection.since >= WAIT_MS) this.#refuse(connection);
      }
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Closes the connection that has been idle longest, unless it was idle for less than MIN_IDLE_MS. Returns whether a
   * connection was closed.
   */
  #makeSlot(network: string, full: Full, now: number): boolean {
    const candidates = full === 'network' ? this.#networks.get(network)! : this.#served.values();
    let longest: Connection | undefined;
    for (const connection of candidates) {
      if (!longest || connection.idleSince < longest.idleSince) longest = connection;
    }
    if (!longest || now - longest.idleSince < MIN_IDLE_MS) return false;
    this.#forget(longest);
    this.#handlers.evict(longest.socket, full);
    return true;
  }
}

const first = <T>(set: Set<T>): T | undefined => set.values().next().value;
