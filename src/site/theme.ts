/** POST /theme: the switch of the colours where there are no scripts; with them the page sets the same cookie. */
import { badRequest } from '../core/errors.ts';
import { type App, endpoint } from '../http.ts';

const YEAR_SECONDS = 31_536_000;
const MAX_FORM_BYTES = 4096;

export function themeRoute(app: App): void {
  endpoint(app, '/theme', {
    POST: async (c) => {
      const length = Number(c.req.header('Content-Length') ?? Number.NaN);
      if (!(length <= MAX_FORM_BYTES)) throw badRequest('This form is too large, or of no length.');
      const form = new URLSearchParams(await c.req.raw.text());
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

/** A path of this site; anything else, such as //elsewhere, leads home. */
const ownPath = (path: string): string => (/^\/(?![/\\])[\w/.-]*$/.test(path) ? path : '/');
