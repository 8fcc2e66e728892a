/** Tracks the requests that the proxy has not finished, by connection and by network. */
import type { Socket } from 'node:net';
import type { Exchange } from './proxy-exchange.ts';

export class RunningRequests {
  readonly #exchanges = new Set<Exchange>();
  /** The number of requests by network. */
  readonly #networks = new Map<string, number>();
  /** The unanswered requests of each connection, in order. Only the first request is forwarded. */
  readonly #pipelines = new WeakMap<Socket, Exchange[]>();
  #whenIdle: (() => void) | undefined;

  get size(): number {
    return this.#exchanges.size;
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return this.#exchanges.values();
  }

  /** Returns the requests of a connection, in order. */
  ofConnection(socket: Socket): readonly Exchange[] {
    return this.#pipelines.get(socket) ?? [];
  }

  /** Returns the number of requests from a network. */
  countOf(network: string): number {
    return this.#networks.get(network) ?? 0;
  }

  add(exchange: Exchange): void {
    const { socket, network } = exchange;
    this.#exchanges.add(exchange);
    this.#networks.set(network, this.countOf(network) + 1);
    this.#pipelines.set(socket, [...this.ofConnection(socket), exchange]);
  }

  /** Removes a finished request. Returns the next request of its connection if it can start now. */
  remove(exchange: Exchange): Exchange | undefined {
    const { socket, network } = exchange;
    const isFirst = this.isFirst(exchange);
    const others = this.ofConnection(socket).filter((other) => other !== exchange);
    const left = this.countOf(network) - 1;
    this.#exchanges.delete(exchange);
    this.#pipelines.set(socket, others);
    if (left > 0) this.#networks.set(network, left);
    else this.#networks.delete(network);
    if (this.size === 0) this.#whenIdle?.();
    return isFirst && !socket.destroyed ? others[0] : undefined;
  }

  /** Whether all earlier requests of the connection are answered. */
  isFirst(exchange: Exchange): boolean {
    return this.ofConnection(exchange.socket)[0] === exchange;
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    if (this.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}
