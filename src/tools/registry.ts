/** The list of tools, in the order of the catalogue; everything else about a tool is in its folder. */
import type { Tool } from '../core/define-tool.ts';

import { encodeBase64 } from './encode_base64/encode_base64.ts';

export const TOOLS: readonly Tool[] = [encodeBase64];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
