/** How the page of compress_image shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  format: {
    label: 'Save as',
    help: 'WebP is small and opens in every browser. AVIF is smaller, but slower to make.',
    choices: { webp: 'WebP', jpeg: 'JPEG', png: 'PNG (lossless)', avif: 'AVIF' },
  },
  quality: {
    initial: 0.8,
    help: '80 % looks like the original on most photos.',
    isPercent: true,
  },
  width: { label: 'Width in pixels', help: 'Leave both empty to keep the size.' },
  height: { label: 'Height in pixels', help: 'If only one is set, the other follows.' },
  keepAspectRatio: {
    label: 'Fit inside without cropping',
    help: 'Applies if width and height are both set. Off: the image is cropped to fill them.',
    initial: true,
    isAdvanced: true,
  },
  grayscale: { label: 'Black and white', help: '', isAdvanced: true },
  palette: {
    label: 'Fewer colours',
    help: 'At most 256, for a much smaller PNG.',
    isAdvanced: true,
  },
  metadata: {
    label: 'Camera data and location',
    help: '',
    choices: { strip: 'Remove them', keep: 'Keep them' },
    isAdvanced: true,
  },
} satisfies FormFields;
