/** Models that use the model server, for the tests of adapters and tools. */
import { Models } from '../../src/adapters/models.ts';
import { OpenAiCompatible } from '../../src/adapters/openai-compatible.ts';
import { modelServer } from './model-server-address.ts';

/** Returns one provider whose model of every kind has this name. */
export const provider = (model: string, apiKey?: string) =>
  new OpenAiCompatible({
    baseUrl: modelServer,
    apiKey,
    models: { text: model, image: model, vision: model, embed: model },
  });

/**
 * Returns providers whose models have these names, tried in this order within a total of one
 * minute.
 */
export const modelsOf = (...names: string[]) =>
  new Models(
    names.map((name) => provider(name)),
    60_000,
  );

/** Returns a model that answers these texts, one per request. */
export const saying = (...texts: string[]) =>
  modelsOf(`say:${texts.map(encodeURIComponent).join('|')}`);
