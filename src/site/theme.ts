/** POST /theme: switches the theme without scripts; with scripts the page sets the same cookie. */
import { badRequest } from '../core/errors.ts';
import { type App, endpoint } from '../http.ts';
import { readForm } from './posted-form.ts';

const YEAR_SECONDS = 31_536_000;

export function themeRoute(app: App): void {
  endpoint(app, '/theme', {
    POST: async (c) => {
      const form = await readForm(c.req.raw);
      const theme = form.get('theme') ?? '';
      if (!/^(light|dark|system)$/.test(theme)) {
        throw badRequest('The theme is light, dark or system.', 'theme');
      }
      const age = theme === 'system' ? 0 : YEAR_SECONDS;
      return new Response(null, {
        status: 303,
        headers: {
          Location: ownPath(form.get('to') ?? ''),
          'Set-Cookie': `theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`,
          'Cache-Control': 'no-store',
        },
      });
    },
  });
}

/** A path of this site; anything else, such as //elsewhere, becomes the home page. */
const ownPath = (path: string): string =>
  /^\/(?![/\\])[\w/.-]*(\?[\w.*+%=&-]*)?$/.test(path) ? path : '/';
