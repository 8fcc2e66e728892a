import { expect, it } from 'vitest';
import { ENDPOINTS } from '../catalogue/mcp-endpoints.ts';
import { unsupported } from '../core/errors.ts';
import type { Ports } from '../core/ports.ts';
import { withListedTools } from './tool-lists.ts';

/** The ports of a service with or without models and a browser. */
const ports = (isSetUp: boolean) =>
  ({
    browser: { isOn: isSetUp },
    models: {
      require() {
        if (!isSetUp) throw unsupported('There is no model.');
      },
    },
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
