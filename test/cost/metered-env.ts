/** Wraps the bindings of a Worker so that they count the units that Cloudflare would bill. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import type { Unit, Units } from './prices.ts';

export class Meter {
  #units: Units = {};

  count(unit: Unit, by = 1): void {
    if (by > 0) this.#units[unit] = (this.#units[unit] ?? 0) + by;
  }

  /** Returns the units counted since the last `take`. Fractions are rounded to millionths. */
  take(): Units {
    const units = Object.entries(this.#units);
    this.#units = {};
    return Object.fromEntries(units.map(([unit, count]) => [unit, Number(count.toFixed(6))]));
  }
}

type Methods = Record<string, (...given: never[]) => unknown>;

/**
 * Returns a proxy of the target with some methods replaced. The other methods are bound to the target, because the
 * platform's objects require that.
 */
function withMethods<Target extends object>(target: Target, methods: Methods): Target {
  return new Proxy(target, {
    get(_, name) {
      const replaced = methods[String(name)];
      if (replaced) return replaced;
      const value = (target as Record<PropertyKey, unknown>)[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Returns a database that counts queries and rows. `first` returns no row counts, so it is implemented with `all`.
 * Calls of `raw` and `exec` are not counted.
 */
export function meteredDatabase(database: D1Database, meter: Meter): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const counted = <Row>(result: D1Result<Row>) => {
    meter.count('d1RowsRead', result.meta.rows_read);
    meter.count('d1RowsWritten', result.meta.rows_written);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      meter.count('d1Queries');
      return counted(await statement.all());
    };
    const wrapped = withMethods(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all()).results as Record<string, unknown>[];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    meter.count('d1Queries', statements.length);
    const results = await database.batch(statements.map((one) => originals.get(one)!));
    return results.map(counted);
  };
  const metered = { prepare: (query: string) => wrap(database.prepare(query)), batch };
  return withMethods(database, { ...metered, withSession: () => metered as never } as never);
}

export function meteredBucket(bucket: R2Bucket, meter: Meter): R2Bucket {
  const counting =
    (unit: Unit, target: object, name: string) =>
    (...given: never[]) => {
      meter.count(unit);
      return (target as Methods)[name]!(...given);
    };
  const upload = (opened: R2MultipartUpload) =>
    withMethods(opened, {
      uploadPart: counting('r2ClassA', opened, 'uploadPart'),
      complete: counting('r2ClassA', opened, 'complete'),
    });
  return withMethods(bucket, {
    get: counting('r2ClassB', bucket, 'get'),
    head: counting('r2ClassB', bucket, 'head'),
    put: counting('r2ClassA', bucket, 'put'),
    list: counting('r2ClassA', bucket, 'list'),
    createMultipartUpload: async (...given: never[]) => {
      meter.count('r2ClassA');
      return upload((await (bucket.createMultipartUpload as Methods[string])(...given)) as never);
    },
  });
}

/** The Durable Objects that were called. Their alarms run only in `runAlarms`. */
export class MeteredObjects {
  readonly #meter: Meter;
  readonly #stubs = new Map<string, DurableObjectStub<undefined>>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** Returns a namespace whose stubs count method calls, and whose objects count the rows that they read and write. */
  of<Kind extends Rpc.DurableObjectBranded>(
    namespace: DurableObjectNamespace<Kind>,
  ): DurableObjectNamespace<Kind> {
    return withMethods(namespace, {
      getByName: (name: string) => this.#wrap(namespace.getByName(name)),
    } as never);
  }

  /** Runs all alarms that are due by `now`. */
  async runAlarms(now: number): Promise<void> {
    for (const stub of this.#stubs.values()) {
      const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
      if (at === null || at > now) continue;
      this.#meter.count('objectRequests');
      await runDurableObjectAlarm(stub);
    }
  }

  #wrap<Kind extends Rpc.DurableObjectBranded>(stub: DurableObjectStub<Kind>) {
    return new Proxy(stub, {
      get:
        (_, method) =>
        async (...given: unknown[]) => {
          const name = String(stub.id);
          if (!this.#stubs.has(name)) {
            this.#stubs.set(name, stub as unknown as DurableObjectStub<undefined>);
            await runInDurableObject(stub, (_instance, state) => meterStorage(state, this.#meter));
          }
          this.#meter.count('objectRequests');
          return (stub as unknown as Record<PropertyKey, (...all: unknown[]) => unknown>)[method]!(
            ...given,
          );
        },
    });
  }
}

function meterStorage(state: DurableObjectState, meter: Meter): void {
  const { storage } = state;
  const writing =
    (target: object, name: string) =>
    (...given: never[]) => {
      meter.count('objectRowsWritten');
      return (target as Methods)[name]!(...given);
    };
  const kv = withMethods(storage.kv, {
    put: writing(storage.kv, 'put'),
    delete: writing(storage.kv, 'delete'),
    get: ((key: string) => {
      meter.count('objectRowsRead');
      return storage.kv.get(key);
    }) as never,
  });
  const metered = withMethods(storage, {
    put: writing(storage, 'put'),
    delete: writing(storage, 'delete'),
    setAlarm: writing(storage, 'setAlarm'),
    deleteAll: writing(storage, 'deleteAll'),
  });
  const value = new Proxy(metered, {
    get: (target, name) => (name === 'kv' ? kv : target[name as keyof typeof target]),
  });
  Object.defineProperty(state, 'storage', { value, configurable: true });
}

/** Matches the source files of the Durable Object classes that the tests do not replace with fakes. */
const OBJECT_FILES = /\/(?:rate-limiter|storage-ledger|answer-record|job)\.ts/;

/** Bills the delay of each timer that a Durable Object sets. Returns a function that restores the original timers. */
export function meterTimers(meter: Meter): () => void {
  const original = globalThis.setTimeout;
  globalThis.setTimeout = ((work: () => void, delay = 0) => {
    if (OBJECT_FILES.test(new Error().stack ?? '')) meter.count('objectMs', delay);
    return original(work, delay);
  }) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = original;
  };
}
