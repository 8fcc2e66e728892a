/** Styles of the home page. */

export const HOME_STYLE = `
/* Nothing in the middle or out of its order: what comes later would move it. */
.hero { display: grid; gap: var(--s6); align-items: start; padding-block: var(--s4) var(--s7); grid-template-columns: minmax(0, 1fr); }
.hero h1 { font-size: var(--text-3xl); }
@media (min-width: 60rem) { .hero { grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: var(--s7); padding-block: var(--s6) var(--s8); } }
@media (max-width: 34rem) { .hero .button { flex: auto; padding-inline: var(--s3); } }
.demo { display: grid; grid-template-columns: minmax(0, 1fr) 10rem; gap: var(--s5); align-items: start; }
.demo .qr { width: 10rem; height: 10rem; background: #fff; border-radius: var(--radius); border: 1px solid var(--line); overflow: hidden; }
.demo .qr img { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
@media (max-width: 34rem) { .demo { grid-template-columns: minmax(0, 1fr); } .demo .qr { justify-self: center; } }
.finder { max-width: 34rem; }
.finder input { min-height: 3.25rem; padding-inline: var(--s4); font-size: var(--text-l); }
.kind .grid { grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.kind > h3 { margin-block-end: var(--s3); color: var(--soft); font-size: var(--text-s); font-weight: 600; }
.kind { content-visibility: auto; contain-intrinsic-size: auto 18rem; animation: later 60ms; }
.kind:first-of-type { animation: none; } .kind:nth-of-type(3) { animation-duration: 120ms; } .kind:nth-of-type(n+4) { animation-duration: 180ms; }
.connect { content-visibility: auto; contain-intrinsic-size: auto 16rem; animation: later 60ms; margin-block-start: var(--s8); align-items: center; }
`;
