/** convert_color: converts a color to hex, RGB, HSL and OKLCH and computes its contrast, in the browser. */
import * as z from 'zod';
import { defineBrowserTool } from '../../core/define-browser-tool.ts';

export const convertColor = defineBrowserTool({
  name: 'convert_color',
  title: 'Convert a color',
  shortName: 'Convert',
  kind: 'data',
  icon: 'pipette',
  description:
    'Shows a color as hex, rgb(), hsl() and oklch(), and its WCAG 2 contrast with a background. It runs in the browser; no data is sent.',
  input: z.strictObject({
    color: z.string().describe('A CSS color: #0a6454, rgb(10 100 84), hsl(…), oklch(…) or a name.'),
    background: z
      .string()
      .default('white')
      .describe('The background color for the contrast ratio.'),
  }),
  resultView: () => import('./result-view.tsx'),
  example: { parameters: { color: '#0a6454' } },
  synonyms: [
    'color',
    'colour',
    'hex',
    'rgb',
    'hsl',
    'oklch',
    'contrast',
    'accessibility',
    'picker',
    'palette',
  ],
  form: {
    color: {
      label: 'Color',
      help: 'A CSS color, such as #0a6454, rgb(10 100 84), hsl(…), oklch(…) or teal.',
      control: 'color',
    },
    background: {
      label: 'Background',
      help: 'Used to calculate the contrast.',
      control: 'color',
    },
  },
});
