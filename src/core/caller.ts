/** Who calls. Everything that is counted or owned hangs on this value. */

export interface Caller {
  /** The client's address as the platform tells it; IPv4 or IPv6 text. */
  address: string;
  /** The API key that the call was made with. */
  key?: CallerKey;
  /** The signed-in account: that of the key, or of the browser's session. */
  accountId?: string;
}

export interface CallerKey {
  id: string;
  kind: 'trial' | 'persistent';
  requestsPerDay: number;
  tokensPerMonth: number;
  /** Bytes that it may store in a day. */
  bytesPerDay: number;
}
