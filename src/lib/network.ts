/** The network that an address is counted as: an IPv4 address by itself, an IPv6 address by its /64. */
import ipaddr from 'ipaddr.js';

/** `203.0.113.7`, or `2001:db8:1:2::/64`. What is no address stays as it is. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
