/** The caller of a request, to whom limits, quotas and ownership apply. */

export interface Caller {
  /** The client's IPv4 or IPv6 address, as the platform reports it. */
  address: string;
  /** The continent that the platform reports, such as `EU`. */
  continent?: string;
  key?: CallerKey;
  /** The account of the caller: the owner of the key, or the account of the browser session. */
  accountId?: string;
}

export interface CallerKey {
  id: string;
  kind: 'trial' | 'persistent';
  requestsPerDay: number;
  tokensPerMonth: number;
  /** The number of bytes that the key may store per day. */
  bytesPerDay: number;
}
