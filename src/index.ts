/** The Worker's entry: the app, the clock and the Container class. */
import { handle } from './app.ts';
import { embedPassages } from './content/embed-passages.ts';
import { type Services, servicesOf } from './services.ts';

export { RateLimiter } from './access/rate-limiter.ts';
export { MediaContainer } from './adapters/media-container.ts';

export default {
  fetch: handle,
  async scheduled(_controller, env) {
    const deleted = await servicesOf(env).cleanUp(Date.now());
    await embedNewPassages(servicesOf(env));
    if (deleted > 0) console.log(JSON.stringify({ event: 'clean-up', deleted }));
  },
} satisfies ExportedHandler<Cloudflare.Env>;

/** The vectors of what an ingest has changed. */
async function embedNewPassages({ content, ports, search }: Services): Promise<void> {
  const state = await content.state();
  const embedded = state ? await embedPassages(ports.models, search.vectors, state) : 0;
  await search.vectors.cleanUp();
  if (embedded > 0) console.log(JSON.stringify({ event: 'embedded', passages: embedded }));
}
