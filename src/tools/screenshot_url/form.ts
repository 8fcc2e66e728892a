/** How the page of screenshot_url shows its parameters. */
import type { FormFields } from '../../core/form-field.ts';

export const form = {
  url: { label: 'Address of the page', help: '', control: 'address' },
  fullPage: { label: 'The whole page', help: 'From top to bottom, up to 12,000 pixels.' },
  blockAds: { label: 'Without ads and cookie banners', help: '', initial: true },
  darkMode: { label: 'Dark mode', help: 'If the page has one.' },
  format: {
    label: 'Save as',
    help: '',
    choices: { webp: 'WebP', png: 'PNG (lossless)', jpeg: 'JPEG' },
  },
  output: {
    label: 'Result',
    help: 'A printed page has no format and sharpness of its own.',
    choices: { image: 'An image', pdf: 'The page printed as a PDF' },
    isAdvanced: true,
  },
  width: { label: 'Width of the window', help: 'In pixels, 200 to 3840.', isAdvanced: true },
  height: {
    label: 'Height of the window',
    help: 'In pixels, 200 to 4320. Unused for the whole page.',
    isAdvanced: true,
  },
  scale: { label: 'Sharpness', help: '2 is as sharp as a phone’s screen.', isAdvanced: true },
  delayMs: {
    label: 'Wait after loading',
    help: 'In milliseconds, up to 5000.',
    isAdvanced: true,
  },
  selector: {
    label: 'Only this part',
    help: 'A CSS selector, such as #main.',
    isAdvanced: true,
  },
  waitFor: {
    label: 'Wait for this part',
    help: 'A CSS selector. Waits up to 30 seconds.',
    isAdvanced: true,
  },
  hideSelectors: {
    label: 'Hide these parts',
    help: 'One CSS selector per line.',
    isAdvanced: true,
  },
} satisfies FormFields;
