/** Who calls. Everything that is counted or owned hangs on this value. */

export interface Caller {
  /** The client's address as the platform tells it; IPv4 or IPv6 text. */
  address: string;
}
