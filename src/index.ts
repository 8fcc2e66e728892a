/** The Worker's entry: the app, the clock and the Container class. */
import { handle } from './app.ts';
import { servicesOf } from './services.ts';

export { RateLimiter } from './access/rate-limiter.ts';
export { MediaContainer } from './adapters/media-container.ts';
export { AnswerRecord } from './idempotency/answer-record.ts';
export { Job } from './jobs/job.ts';

export default {
  fetch: handle,
  async scheduled(_controller, env) {
    const services = servicesOf(env);
    await services.flush();
    const deleted = await services.cleanUp(Date.now());
    if (deleted > 0) console.log(JSON.stringify({ event: 'clean-up', deleted }));
  },
} satisfies ExportedHandler<Cloudflare.Env>;
