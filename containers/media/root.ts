/**
 * Checks whether root can change to another user. In a rootless container, the user namespace may contain no other
 * users.
 */
import { readFileSync } from 'node:fs';

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Returns the reason why root cannot change to this user, or undefined if it can (user_namespaces(7), uid_map). */
export function obstacleToBecoming(user: number): string | undefined {
  let map: string;
  try {
    map = readFileSync('/proc/self/uid_map', 'utf8');
  } catch {
    return undefined;
  }
  const isMapped = map.split('\n').some((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return user >= first && user < first + count;
  });
  return isMapped ? undefined : `this user namespace has no user ${user}`;
}
