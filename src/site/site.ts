/** The data that every page needs: about the service, and the visitor's theme. */
import { getCookie } from 'hono/cookie';
import type { AppContext } from '../http.ts';
import type { Theme } from './design/theme-order.ts';

export interface Site {
  request: Request;
  serviceName: string;
  baseUrl: string;
  storageUrl: string;
  /** Whether the service refuses callers without an account. */
  requireSignIn: boolean;
  /** Whether calls are counted and limited. */
  isLimited: boolean;
  theme: Theme;
  /** The page's path. The navigation marks it, and the theme switch returns to it unless `back` is set. */
  path: string;
  /** The path and query to which the theme switch returns, if they differ from `path`. */
  back?: string;
}

export function siteOf(c: AppContext): Site {
  const { serviceName, baseUrl, storageUrl, requireSignIn, rateLimits } = c.env.services.config;
  const cookie = getCookie(c, 'theme');
  const theme = cookie === 'light' || cookie === 'dark' ? cookie : 'system';
  return {
    serviceName,
    baseUrl,
    storageUrl,
    requireSignIn,
    isLimited: rateLimits,
    request: c.req.raw,
    theme,
    path: c.req.path,
  };
}
