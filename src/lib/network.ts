/**
 * Returns the network of an IP address: the IPv4 address itself, or the /64 of an IPv6 address. Limits apply per
 * network.
 */
import ipaddr from 'ipaddr.js';

/**
 * Returns a network such as `203.0.113.7` or `2001:db8:1:2::/64`. Text that is not an IP address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`;
}
