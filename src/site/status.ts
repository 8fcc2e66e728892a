/** How each part of the service is, asked now. */
import type { Exchange } from '../exchange.ts';

type Services = Exchange['services'];

export interface PartStatus {
  name: string;
  state: 'up' | 'off' | 'down';
  detail: string;
}

/** How long a part may take before it counts as down. */
const PATIENCE_MS = 3000;

export async function statusOf(services: Services): Promise<PartStatus[]> {
  const { config } = services;
  const writers = services.ports.models.textModels;
  const [database, media] = await Promise.all([
    timed(() => services.links.find('status')),
    timed(() => services.missing()),
  ]);
  return [
    { name: 'Pages and API', state: 'up', detail: 'answering' },
    {
      name: 'Database',
      state: database ? 'up' : 'down',
      detail: database ? `answered in ${database.ms} ms` : 'does not answer',
    },
    {
      name: 'Media worker (PDF, pictures, video, text recognition)',
      state: media && media.value.length === 0 ? 'up' : 'down',
      detail: media
        ? media.value.length === 0
          ? 'all programs are there'
          : `missing: ${media.value.join(', ')}`
        : 'does not answer',
    },
    {
      name: 'Language models',
      state: writers ? 'up' : 'off',
      detail: writers
        ? `configured: ${writers.replaceAll(',', ', ')}`
        : 'none is configured; tools that need one answer 501',
    },
    {
      name: 'Rate limits',
      state: config.rateLimits ? 'up' : 'off',
      detail: config.rateLimits ? 'counted' : 'switched off here',
    },
  ];
}

async function timed<T>(ask: () => Promise<T>): Promise<{ value: T; ms: number } | null> {
  const started = Date.now();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  const answer = ask().then(
    (value) => ({ value, ms: Date.now() - started }),
    () => null,
  );
  return Promise.race([answer, late]);
}
