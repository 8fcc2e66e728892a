/** What every page needs to know of the service and of the visitor's wish about colours. */
import { getCookie } from 'hono/cookie';
import type { AppContext } from '../http.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Site {
  request: Request;
  serviceName: string;
  baseUrl: string;
  storageUrl: string;
  theme: Theme;
  /** Path of the page, for navigation and for coming back to it. */
  path: string;
  /** Where to come back to, if that is more than the path. */
  back?: string;
}

export function siteOf(c: AppContext): Site {
  const { serviceName, baseUrl, storageUrl } = c.env.services.config;
  const cookie = getCookie(c, 'theme');
  const theme = cookie === 'light' || cookie === 'dark' ? cookie : 'system';
  return { request: c.req.raw, serviceName, baseUrl, storageUrl, theme, path: c.req.path };
}
