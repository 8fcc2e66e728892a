/** Creates models that use the fake model server, for tests of adapters and tools. */
import { Models } from '../../src/adapters/models.ts';
import { OpenAiCompatible } from '../../src/adapters/openai-compatible.ts';
import { modelServer } from './model-server-address.ts';

/** Returns a provider that uses the model with this name for all kinds of calls. */
export const provider = (model: string, apiKey?: string) =>
  new OpenAiCompatible({
    baseUrl: modelServer,
    apiKey,
    models: { text: model, image: model, vision: model, embed: model },
  });

/** Returns models with these names, which are tried in order. A call may take one minute for all of them together. */
export const modelsOf = (...names: string[]) =>
  new Models(
    names.map((name) => provider(name)),
    60_000,
  );

/** Returns a model that answers successive requests with these strings. */
export const saying = (...texts: string[]) =>
  modelsOf(`say:${texts.map(encodeURIComponent).join('|')}`);
