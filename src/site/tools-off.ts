/** Finds the tools that are switched off on this server. */
import type { Tool } from '../core/define-tool.ts';
import type { AppContext } from '../http.ts';
import { TOOLS } from '../tools/registry.ts';

/** Returns the names of the tools whose model is not configured. */
export function toolsOff(c: AppContext): Set<string> {
  const { models } = c.env.services.ports;
  const isOff = ({ model }: Tool) => {
    try {
      if (model) models.require(model);
      return false;
    } catch {
      return true;
    }
  };
  return new Set(TOOLS.filter(isOff).map(({ name }) => name));
}
