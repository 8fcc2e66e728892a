/**
 * Prevents pages of other origins from using the service through a visitor's browser by DNS rebinding or CSRF (ADR 45).
 */
import {
  type AllowedOrigins,
  corsGrant,
  isAllowedHost,
  isAllowedOrigin,
} from '../core/allowed-origins.ts';
import { badRequest, ToolError } from '../core/errors.ts';
import { isReservedPath } from '../core/reserved-paths.ts';

export class CrossOriginPolicy {
  readonly #allowed: AllowedOrigins;
  /** Caches the scheme and host of the last allowed URL, because most requests name the same host. */
  #lastAllowed = '';

  constructor(allowed: AllowedOrigins) {
    this.#allowed = allowed;
  }

  /** Whether responses depend on the `Origin` of the request. If so, caches must store them per origin. */
  get variesByOrigin(): boolean {
    return this.#allowed.origins !== 'any';
  }

  /** Returns the value of the response's `Access-Control-Allow-Origin`, or null if it must not have this header. */
  grant(request: Request): string | null {
    const { origins } = this.#allowed;
    return origins === 'any' ? '*' : corsGrant(this.#allowed, request.headers.get('Origin'));
  }

  /**
   * Throws 400 if `Host` is malformed, 421 if it is not allowed, and 403 if the request comes from a page whose origin
   * is not allowed.
   */
  check(request: Request): void {
    this.#checkHost(request.url);
    if (this.#allowed.origins !== 'any' && this.#isCrossOrigin(request))
      throw crossOriginRefusal(request);
  }

  /** Detects DNS rebinding. The browser sends the page's host as `Host`, and the page cannot change it. */
  #checkHost(address: string): void {
    const authority = address.slice(0, address.indexOf('/', 'https://'.length));
    if (authority === this.#lastAllowed) return;
    const hostname = URL.parse(address)?.hostname;
    if (hostname === undefined) throw badRequest('The Host header is not valid. Send HOST:PORT.');
    if (!isAllowedHost(this.#allowed, hostname)) {
      throw new ToolError(
        'bad_request',
        `The host name "${hostname.slice(0, 100)}" is not allowed. The operator can add it to ALLOWED_HOSTS.`,
        { status: 421 },
      );
    }
    this.#lastAllowed = authority;
  }

  /**
   * Follows Go's http.CrossOriginProtection, but also refuses reads, because a search may call a model. Navigation,
   * preflight requests, and paths that other sites may embed are allowed.
   */
  #isCrossOrigin(request: Request): boolean {
    const { headers, method } = request;
    const origin = headers.get('Origin');
    const site = headers.get('Sec-Fetch-Site');
    if (site === 'same-origin' || site === 'none') return false;
    if (origin !== null && this.#isOwn(origin, request.url)) return false;
    if (method === 'OPTIONS') return false;
    if (method !== 'GET' && method !== 'HEAD') return origin !== null || site !== null;
    return (
      site === 'cross-site' &&
      headers.get('Sec-Fetch-Mode') !== 'navigate' &&
      !mayBeEmbedded(new URL(request.url).pathname)
    );
  }

  /**
   * The `Host` has been checked, so a page from the same host belongs to this service. The scheme may differ, because a
   * proxy may terminate TLS.
   */
  #isOwn(origin: string, address: string): boolean {
    return (
      isAllowedOrigin(this.#allowed, origin) || URL.parse(origin)?.host === new URL(address).host
    );
  }
}

/**
 * Pages on other sites may embed stored files. They may also embed short links, because a link's target may be an
 * image.
 */
function mayBeEmbedded(path: string): boolean {
  const [, first = '', ...rest] = path.split('/');
  return first === 'files' || (rest.length === 0 && first !== '' && !isReservedPath(first));
}

const crossOriginRefusal = (request: Request): ToolError =>
  new ToolError(
    'bad_request',
    `Pages from the origin "${(request.headers.get('Origin') ?? 'unknown').slice(0, 100)}" may not call this service. The operator can add the origin to ALLOWED_ORIGINS.`,
    { status: 403 },
  );
