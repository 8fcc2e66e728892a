/** The part of Node's module that workerd has under `nodejs_compat` and that we use; its types come without Node's. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, callback: () => R): R;
    getStore(): T | undefined;
  }
}
