/**
 * Declares the part of `node:async_hooks` that the app uses. workerd provides this module under `nodejs_compat`, but
 * the Worker's types do not include it.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
