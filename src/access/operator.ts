/**
 * Decides whether a request comes from the operator. Such a request comes from this machine or carries METRICS_TOKEN.
 */
import { isLoopbackHost } from '../core/egress-hosts.ts';

export async function isOperator(
  { headers }: Request,
  metricsToken: string | undefined,
): Promise<boolean> {
  if (isLoopbackHost(headers.get('CF-Connecting-IP') ?? '')) return true;
  const shown = headers.get('Authorization') ?? '';
  return metricsToken !== undefined && isSame(shown, `Bearer ${metricsToken}`);
}

/** Compares digests, so that the duration of the comparison reveals nothing about the token. */
async function isSame(shown: string, expected: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [shown, expected].map((text) =>
      crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
    ),
  );
  return crypto.subtle.timingSafeEqual(a!, b!);
}
