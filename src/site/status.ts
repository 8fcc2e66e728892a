/** The state of each part of the service, now or a few seconds ago. */
import { ToolError } from '../core/errors.ts';
import type { Exchange } from '../exchange.ts';

type Services = Exchange['services'];

export interface PartStatus {
  name: string;
  /** `unasked`: the part exists, but a check would cost money or start it. */
  state: 'up' | 'off' | 'down' | 'unasked';
  detail: string;
}

/** A part that takes longer counts as down. */
const PATIENCE_MS = 3000;
/** How long a result is reused, so that reloads do not load the parts. */
const BELIEVED_MS = 10_000;

let last: { at: number; parts: PartStatus[] } | undefined;

export async function statusOf(services: Services): Promise<PartStatus[]> {
  if (last && Date.now() - last.at < BELIEVED_MS) return last.parts;
  const parts = await checkParts(services);
  last = { at: Date.now(), parts };
  return parts;
}

async function checkParts(services: Services): Promise<PartStatus[]> {
  const { config } = services;
  const writers = services.ports.models.textModels;
  const [database, storage, documents, media] = await Promise.all([
    timed(() => services.links.find('status')),
    timed(() => unknownFile(services)),
    timed(() => services.passages()),
    config.mediaUrl ? timed(() => services.missing()) : null,
  ]);
  return [
    { name: 'Pages and API', state: 'up', detail: 'answering' },
    part('Database', database),
    part('Files', storage),
    {
      name: 'Documents and search',
      state: documents ? 'up' : 'down',
      detail: documents ? `${documents.value.passages.length} passages` : 'not readable',
    },
    {
      name: 'Media worker (PDF, images, video, OCR)',
      ...(config.mediaUrl ? mediaPart(media) : ASLEEP),
    },
    {
      name: 'Language models',
      state: writers ? 'unasked' : 'off',
      detail: writers
        ? `set up: ${writers.replaceAll(',', ', ')}`
        : 'not configured; tools that need one return 501',
    },
    {
      name: 'Rate limits',
      state: config.rateLimits ? 'up' : 'off',
      detail: config.rateLimits ? 'counted' : 'disabled',
    },
  ];
}

const ASLEEP = { state: 'unasked', detail: 'idle until a tool needs it' } as const;

const part = (name: string, answer: { ms: number } | null): PartStatus => ({
  name,
  state: answer ? 'up' : 'down',
  detail: answer ? `answered in ${answer.ms} ms` : 'does not answer',
});

function mediaPart(answer: { value: string[] } | null): Omit<PartStatus, 'name'> {
  if (!answer) return { state: 'down', detail: 'does not answer' };
  const missing = answer.value;
  if (missing.length === 0) return { state: 'up', detail: 'all programs are installed' };
  return { state: 'down', detail: `missing: ${missing.join(', ')}` };
}

/** Requests a file that does not exist: a correct answer shows that storage works. */
async function unknownFile({ storage }: Services): Promise<void> {
  try {
    await storage.openById('status', 'id');
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}

async function timed<T>(checkParts: () => Promise<T>): Promise<{ value: T; ms: number } | null> {
  const started = Date.now();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS));
  const answer = checkParts().then(
    (value) => ({ value, ms: Date.now() - started }),
    () => null,
  );
  return Promise.race([answer, late]);
}
