import { expect, it } from 'vitest';
import { AGENT_ENDPOINT, ENDPOINTS } from '../catalogue/mcp-endpoints.ts';
import type { Ports } from '../core/ports.ts';
import { prepareMcpCall } from './call-tool.ts';
import type { McpContext } from './checked-call.ts';
import { withListedTools } from './tool-lists.ts';

/** The ports of a service with or without models and a browser. */
const ports = (isSetUp: boolean) =>
  ({
    browser: { isOn: isSetUp },
    models: { isConfigured: () => isSetUp },
  }) as unknown as Ports;

it.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
  '%s lists its tools, and only the endpoint for agents omits tools without their component',
  (_, endpoint) => {
    expect(withListedTools(endpoint, ports(true)).tools).toEqual(endpoint.tools);
    const { tools } = withListedTools(endpoint, ports(false));
    const able = endpoint.tools.filter(({ model, needs }) => !model && !needs.includes('browser'));
    expect(tools).toEqual(endpoint.name === 'agent' ? able : endpoint.tools);
  },
);

it('omits tools without their component from the error about an unknown tool', async () => {
  const context = {
    admission: { run: (check: () => unknown) => check() },
    call: {},
    services: { ports: ports(false) },
  } as unknown as McpContext;
  const refused = prepareMcpCall({ name: 'no_such_tool' }, AGENT_ENDPOINT, context);
  const { message } = await refused.then(
    () => Promise.reject(new Error('The call was accepted.')),
    (error: Error) => error,
  );
  const named = AGENT_ENDPOINT.tools.filter(({ name }) => message.includes(name));
  expect(named).toEqual(withListedTools(AGENT_ENDPOINT, ports(false)).tools);
});
