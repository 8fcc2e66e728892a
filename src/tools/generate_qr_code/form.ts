/** How the page of generate_qr_code shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  text: {
    label: 'Text or link',
    help: 'Press Enter to make the code, Shift and Enter for a new line.',
    rows: 2,
    control: 'line',
  },
  size: { label: 'Size in pixels', help: 'Width and height, up to 4096.' },
  errorCorrection: { isHidden: true },
} satisfies FormFields;
