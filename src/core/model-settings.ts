/** Defines the settings for the models on an OpenAI-compatible server, and for the order of providers. */
import type { Setting } from './setting.ts';
import { httpAddress, MODEL_PROVIDERS, matching, modelName, modelOrder } from './setting-checks.ts';

const modelSetting = (name: string, makes: string): Setting => ({
  name,
  default: 'none',
  meaning: `the model at \`OPENAI_BASE_URL\` that ${makes}`,
  check: modelName,
});

export const MODEL_SETTINGS: readonly Setting[] = [
  {
    name: 'OPENAI_BASE_URL',
    default: 'none',
    meaning:
      'the base URL of an OpenAI-compatible server (Ollama, llama.cpp, vLLM, a gateway), including `/v1`',
    check: httpAddress,
  },
  {
    name: 'OPENAI_API_KEY',
    default: 'none',
    meaning: 'the key that this server requires',
    check: matching(/^[\x21-\x7e]+$/, 'must be ASCII without spaces'),
    secret: true,
  },
  modelSetting('MODEL_TEXT', 'writes text'),
  modelSetting('MODEL_IMAGE', 'creates images'),
  modelSetting('MODEL_VISION', 'describes images'),
  modelSetting('MODEL_EMBED', 'creates vectors for the search'),
  {
    name: 'MODEL_ORDER',
    default: MODEL_PROVIDERS.join(),
    meaning:
      'the order of the providers; a provider that is not listed is not used. Workers AI needs its binding',
    check: modelOrder,
  },
];
