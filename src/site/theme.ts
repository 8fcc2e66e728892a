/**
 * Handles POST /theme, which switches the theme without scripts. With scripts, the page sets the same cookie itself.
 */
import { setCookie } from 'hono/cookie';
import { badRequest } from '../core/errors.ts';
import { type App, endpoint } from '../http.ts';
import { readPostedForm } from './posted-form.ts';

const YEAR_SECONDS = 31_536_000;

export function themeRoute(app: App): void {
  endpoint(app, '/theme', {
    POST: async (c) => {
      const form = await readPostedForm(c.req.raw);
      const theme = form.get('theme') ?? '';
      if (!/^(light|dark|system)$/.test(theme)) {
        throw badRequest('The theme must be light, dark or system.', 'theme');
      }
      const age = theme === 'system' ? 0 : YEAR_SECONDS;
      setCookie(c, 'theme', theme, { maxAge: age, sameSite: 'Lax' });
      c.header('Cache-Control', 'no-store');
      return c.redirect(ownPath(form.get('to') ?? ''), 303);
    },
  });
}

/** Returns the path if it is on this site. Returns the home page's path for anything else, such as //elsewhere. */
const ownPath = (path: string): string =>
  /^\/(?![/\\])[\w/.-]*(\?[\w.*+%=&-]*)?$/.test(path) ? path : '/';
