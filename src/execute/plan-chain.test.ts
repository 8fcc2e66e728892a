import { describe, expect, it } from 'vitest';
import { saying } from '../../test/support/models.ts';
import type { ModelsPort, TextRequest } from '../core/models-port.ts';
import { planChain } from './plan-chain.ts';

const call = { signal: new AbortController().signal, spend: () => {} };
const good = { toolChain: [{ tool: 'encode_base64', parameters: { text: 'hi' } }] };
const bad = { toolChain: [{ tool: 'encode_base64', parameters: { text: 5 } }] };
const plan = (...answers: unknown[]) =>
  planChain('encode hi', saying(...answers.map((answer) => JSON.stringify(answer))), call);

describe('planning a chain', () => {
  it('returns the model’s plan after validating it like a toolChain', async () => {
    const { toolChain, steps } = await plan(good);
    expect(toolChain).toEqual(good.toolChain);
    expect(steps[0]?.tool.name).toBe('encode_base64');
  });

  it('returns an invalid plan to the model once, with the errors', async () => {
    expect((await plan(bad, good)).toolChain).toEqual(good.toolChain);
    await expect(plan(bad, bad)).rejects.toMatchObject({
      code: 'tool_failed',
      status: 422,
      extra: { plan: bad.toolChain },
      message: expect.stringContaining('"text" must be'),
    });
  });

  it('returns 422 when the tools cannot do the task', async () => {
    await expect(plan({ toolChain: [] })).rejects.toMatchObject({ status: 422 });
  });

  it('sends the model the schemas of exactly the tools that can be steps of a chain', async () => {
    const requested: TextRequest<unknown>[] = [];
    const models = {
      textModels: 'one',
      text: async (request: TextRequest<unknown>) => {
        requested.push(request);
        return { value: good };
      },
    } as unknown as ModelsPort;
    await planChain('encode hi', models, call);
    expect(requested[0]?.messages).toEqual([{ role: 'user', content: 'encode hi' }]);
    const { toJSONSchema } = await import('zod');
    const text = JSON.stringify(toJSONSchema(requested[0]!.schema!));
    expect(text).toContain('"const":"generate_qr_code"');
    expect(text).toContain('"enum":["of","increase","decrease","change"]');
    expect(text).toContain('fileUrls');
    expect(text).not.toContain('upload_file');
    expect(text).not.toContain('hash_text');
    expect(text.length).toBeLessThan(40_000);
  });
});
