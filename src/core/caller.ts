/** The caller of a request. Limits, quotas and ownership refer to this value. */

export interface Caller {
  /** The client's IPv4 or IPv6 address, as the platform reports it. */
  address: string;
  /** The continent that the platform reports, such as `EU`. */
  continent?: string;
  /** The API key of the request. */
  key?: CallerKey;
  /** The signed-in account: the key's owner, or the account of the browser session. */
  accountId?: string;
}

export interface CallerKey {
  id: string;
  kind: 'trial' | 'persistent';
  requestsPerDay: number;
  tokensPerMonth: number;
  /** Bytes that the key may store per day. */
  bytesPerDay: number;
}
