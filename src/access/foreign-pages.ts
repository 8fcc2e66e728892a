/** Keeps web pages of other origins from using the service: DNS rebinding, forms and requests in a visitor's name. */
import {
  type AllowedOrigins,
  corsGrant,
  isAllowedHost,
  isAllowedOrigin,
} from '../core/allowed-origins.ts';
import { ToolError } from '../core/errors.ts';
import { isReservedPath } from '../core/reserved-paths.ts';

export class ForeignPages {
  readonly #allowed: AllowedOrigins;
  /** The beginning of the last URL whose host was allowed, since most requests name the same host. */
  #lastAllowed = '';

  constructor(allowed: AllowedOrigins) {
    this.#allowed = allowed;
  }

  /** Whether answers differ by the request's `Origin`, which caches have to know. */
  get variesByOrigin(): boolean {
    return this.#allowed.origins !== 'any';
  }

  /** `Access-Control-Allow-Origin` of the answer, or null. */
  grant(request: Request): string | null {
    const { origins } = this.#allowed;
    return origins === 'any' ? '*' : corsGrant(this.#allowed, request.headers.get('Origin'));
  }

  /** Throws 421 for a `Host` that is not the service's, 403 for what a foreign page sent. */
  check(request: Request): void {
    this.#checkHost(request.url);
    if (this.#allowed.origins !== 'any' && this.#isForeign(request)) throw foreignPage(request);
  }

  /** A rebinding page cannot change the `Host` that its browser sends. */
  #checkHost(address: string): void {
    const authority = address.slice(0, address.indexOf('/', 'https://'.length));
    if (authority === this.#lastAllowed) return;
    const { hostname } = new URL(address);
    if (!isAllowedHost(this.#allowed, hostname)) {
      throw new ToolError(
        'bad_request',
        `This service does not answer as "${hostname.slice(0, 100)}". Its operator can add the name to ALLOWED_HOSTS.`,
        { status: 421 },
      );
    }
    this.#lastAllowed = authority;
  }

  /**
   * Judges as Go's http.CrossOriginProtection does. Reading stays open to navigation and to what pages may embed;
   * other reading by a foreign page is refused as well, since a search may ask a model.
   */
  #isForeign(request: Request): boolean {
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

  /** The Host is allowed by now, so a page of the same host is ours. A proxy may have taken the TLS off. */
  #isOwn(origin: string, address: string): boolean {
    return (
      isAllowedOrigin(this.#allowed, origin) || URL.parse(origin)?.host === new URL(address).host
    );
  }
}

/** Stored files, and short links, which may lead to an image elsewhere. */
function mayBeEmbedded(path: string): boolean {
  const [, first = '', ...rest] = path.split('/');
  return first === 'files' || (rest.length === 0 && first !== '' && !isReservedPath(first));
}

const foreignPage = (request: Request): ToolError =>
  new ToolError(
    'bad_request',
    `Pages of the origin "${(request.headers.get('Origin') ?? 'unknown').slice(0, 100)}" may not call this service. Its operator can add the origin to ALLOWED_ORIGINS.`,
    { status: 403 },
  );
