/**
 * Implements the HTTP proxy in front of a self-hosted workerd (ADR 2, 45). The proxy sets CF-Connecting-IP to the
 * caller's address, regardless of the header that the client sent, and limits connections and request bodies. When a
 * client disconnects, the proxy resets the connection to workerd, because workerd detects a disconnect only from a
 * reset.
 */
import type { AddressInfo } from 'node:net';
import type { AllowedOrigins } from '../src/core/allowed-origins.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { Forwarder } from './forwarder.ts';
import { PROXY_LIMITS, type ProxyLimits } from './proxy-limits.ts';
import { anyOrigin, refuseConnection, tooMany } from './proxy-refusals.ts';
import { openServers } from './proxy-server.ts';
import { RunningRequests } from './running-requests.ts';
import { SlowClients } from './slow-clients.ts';

export interface ProxySettings {
  hosts: readonly string[];
  port: number;
  /** Whether requests come through the operator's own proxy, which adds the callers' addresses to the headers. */
  trustedProxy: boolean;
  allowed: AllowedOrigins;
}

export interface Proxy {
  port: number;
  /**
   * Refuses new requests with 503. Resolves when the running requests have finished. Aborts them if `timeIsUp` resolves
   * first.
   */
  drain(timeIsUp: Promise<unknown>): Promise<void>;
  close(): void;
}

/** Listens on every host and forwards requests to `target` once it is known. Rejects if it cannot listen. */
export async function openProxy(
  { hosts, port, trustedProxy, allowed }: ProxySettings,
  target: () => URL | undefined,
  limits: ProxyLimits = PROXY_LIMITS,
): Promise<Proxy> {
  const running = new RunningRequests();
  // Behind a trusted proxy, the connections of all callers come from one network.
  const perNetwork = trustedProxy ? limits.total : limits.perNetwork;
  const connections = new ConnectionLimits(
    { perNetwork, total: limits.total },
    {
      refuse: (socket, full) => refuseConnection(socket, ...tooMany(full), anyOrigin(allowed)),
      evict: (socket, full) => {
        for (const exchange of running.ofConnection(socket)) exchange.refuse(...tooMany(full));
        socket.destroySoon();
      },
      busy: () => {
        const busy = [...running].filter((exchange) => exchange.waitsFor() !== 'body');
        return new Set(busy.map(({ socket }) => socket));
      },
    },
  );
  const forwarder = new Forwarder({ running, connections, target, trustedProxy, allowed, limits });
  const slowClients = new SlowClients(limits);
  const servers = await openServers(hosts, port, {
    allowed,
    limits,
    accept: (socket, serve) => connections.accept(socket, serve),
    forward: (request, response) => forwarder.forward(request, response),
  });
  const timer = setInterval(() => slowClients.check(running, performance.now()), limits.checkMs);
  return {
    port: (servers[0]!.address() as AddressInfo).port,
    drain: (timeIsUp) => forwarder.drain(timeIsUp),
    close: () => {
      clearInterval(timer);
      for (const server of servers) server.close();
      connections.close();
    },
  };
}
