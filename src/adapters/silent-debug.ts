/** Replaces puppeteer's package `debug` (wrangler.toml, alias), whose Node version would delay every start by 15 ms. */
const silent = () => {};

export default () => silent;
