/**
 * Declares the part of Node's module that workerd provides under `nodejs_compat` and that we use, because the Worker's
 * types do not include it.
 */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
