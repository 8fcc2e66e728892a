/** Contains the scripts that run inside a page. They are strings, because the Worker's type checker has no DOM. */

/**
 * Runs in every frame, before any script of the page. Disables APIs that could bypass the proxy or block the capture.
 */
export const DISARM = `
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];
  window.open = () => null;
  window.print = () => {};`;

/**
 * Hides the elements that match the selectors, regardless of their styles. Returns the first invalid selector, or null.
 */
export const hideScript = (selectors: readonly string[]): string => `(() => {
  const style = document.createElement('style');
  document.documentElement.append(style);
  for (const selector of ${JSON.stringify(selectors)}) {
    try {
      for (const element of document.querySelectorAll(selector))
        element.style?.setProperty('display', 'none', 'important');
      style.sheet.insertRule(selector + ' { display: none !important }');
    } catch {
      return selector;
    }
  }
  return null;
})()`;

/** Scrolls through the page in steps and then back to the top, so that lazy content loads. */
export const scrollScript = (step: number, most: number, restMs: number): string => `(async () => {
  for (const lazy of document.querySelectorAll('[loading=lazy]')) lazy.loading = 'eager';
  const end = () => Math.min(document.documentElement.scrollHeight, ${most});
  for (let at = 0; at < end(); at += ${step}) {
    window.scrollTo({ top: at, behavior: 'instant' });
    await new Promise((resolve) => setTimeout(resolve, ${restMs}));
  }
  window.scrollTo({ top: 0, behavior: 'instant' });
})()`;

/**
 * Requests the lazy images in the top `height` pixels of the page, or in the viewport if `height` is null. Returns
 * whether any image there is still loading.
 */
const loadLazyImages = (height: number | null): string => `(() => {
  const end = ${height} === null ? innerHeight : ${height} - scrollY;
  return [...document.images].some((image) => {
    const isLazy = image.loading === 'lazy';
    if ((image.complete && !isLazy) || !image.checkVisibility()) return false;
    const { top, bottom } = image.getBoundingClientRect();
    const isSeen = top < end && bottom > ${height === null ? 0 : -Infinity};
    // A lazy image would otherwise be requested only after the next frame is drawn.
    if (isSeen && isLazy) image.loading = 'eager';
    return isSeen && !image.complete;
  });
})()`;

/** Waits for `ms` milliseconds in the page, whose timers also advance its animations. */
export const pause = (ms: number): string => `new Promise((resolve) => setTimeout(resolve, ${ms}))`;

/** Whether the page's fonts, and the images that `loadLazyImages` checks, have loaded. Also requests lazy images. */
export const isDrawn = (height: number | null): string =>
  `(document.documentElement.offsetHeight, document.fonts.status === 'loaded') && !${loadLazyImages(height)}`;

/** Finishes the animations that end within `within` milliseconds, so that the image shows their final state. */
export const finishAnimations = (within: number): string => `(() => {
  for (const animation of document.getAnimations()) {
    const { playState, playbackRate, timeline, currentTime, effect } = animation;
    if (playState !== 'running' || !(playbackRate > 0) || timeline !== document.timeline) continue;
    if (effect?.getComputedTiming().endTime - (currentTime ?? 0) <= ${within}) animation.finish();
  }
})()`;

export const PAGE_HEIGHT =
  'Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)';

/**
 * Returns the box of the first visible element that matches. Returns null if none matches, or 'invalid' for an invalid
 * selector.
 */
export const boxScript = (selector: string): string => `(() => {
  let found;
  try {
    found = document.querySelectorAll(${JSON.stringify(selector)});
  } catch {
    return 'invalid';
  }
  for (const element of found) {
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width < 1 || height < 1 || getComputedStyle(element).visibility === 'hidden') continue;
    return { x: left + window.scrollX, y: top + window.scrollY, width, height };
  }
  return null;
})()`;

/** Collects the IDs and classes in the page, up to a limit, to query the filter lists. */
export const ELEMENT_NAMES = `(() => {
  const most = 4000, longest = 200, ids = new Set(), classes = new Set();
  for (const element of document.querySelectorAll('[id],[class]')) {
    if (ids.size + classes.size > most) break;
    if (element.id && element.id.length < longest) ids.add(element.id);
    for (const name of element.classList) if (name.length < longest) classes.add(name);
  }
  return { ids: [...ids].slice(0, most), classes: [...classes].slice(0, most) };
})()`;

/** Adds a style sheet to the page. Also hides the elements whose content has one of the `refused` URLs. */
export const styleScript = (css: string, refused: readonly string[]): string => `(() => {
  const style = document.createElement('style');
  style.textContent = ${JSON.stringify(css)};
  document.documentElement.append(style);
  const refused = new Set(${JSON.stringify(refused)});
  for (const element of document.querySelectorAll('img, iframe, embed'))
    if (refused.has(element.currentSrc || element.src)) element.style.setProperty('display', 'none', 'important');
})()`;
