/** Defines the order in which the header's button switches the theme. The page's script uses it too. */

export type Theme = 'system' | 'light' | 'dark';

/**
 * The order of the themes, by the theme of the visitor's system. The first press must change the page visibly, so the
 * theme after `system` is the one that the system does not use.
 */
export const THEME_ORDERS = {
  light: ['system', 'dark', 'light'],
  dark: ['system', 'light', 'dark'],
} as const satisfies Record<string, readonly Theme[]>;

export type SystemTheme = keyof typeof THEME_ORDERS;

/** Returns the theme to which the button switches from `theme`, and the button's label. */
export function themeAfter(theme: Theme, system: SystemTheme): { next: Theme; label: string } {
  const order: readonly Theme[] = THEME_ORDERS[system];
  const next = order[(order.indexOf(theme) + 1) % order.length]!;
  return { next, label: `Theme: ${theme}. Switch to ${next}` };
}
