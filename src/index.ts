/** The Worker's entry: the app, the clock and the Container class. */
import { handle } from './app.ts';
import { servicesOf } from './services.ts';

export { MediaContainer } from './adapters/media-container.ts';

export default {
  fetch: handle,
  async scheduled(_controller, env) {
    const { storage, results } = servicesOf(env);
    const deleted = (await storage.cleanUp(Date.now())) + (await results.cleanUp(Date.now()));
    if (deleted > 0) console.log(JSON.stringify({ event: 'clean-up', deleted }));
  },
} satisfies ExportedHandler<Cloudflare.Env>;
