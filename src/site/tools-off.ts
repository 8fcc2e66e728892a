/** Finds the tools that are switched off on this server. */
import { missingFor } from '../execute/missing-component.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';

/** Returns the names of the tools that need a component that the service lacks. */
export function toolsOff(c: AppContext): Set<string> {
  const { ports } = c.env.services;
  return new Set(TOOLS.filter((tool) => missingFor(tool, ports)).map(({ name }) => name));
}
