/** Finds duplicate members of JSON objects, and determines how a writer must treat them. */

/**
 * The positions at which a writer skips or replaces text because of duplicate keys. As with JSON.parse, the last value
 * of a key is written at the position of the first one (ECMA-262).
 */
export interface Detours {
  /**
   * Maps the offset of the comma before a repeated member to the end of that member's value. All other elements are 0.
   * The array is empty if no key repeats.
   */
  skip: Int32Array;
  /**
   * Maps the offset of a key's first value to its replacement. The text from `start` to `end` replaces that value, and
   * reading continues at `resume`.
   */
  replace: Map<number, { start: number; end: number; resume: number }>;
}

/**
 * The keys of all objects that are open at a position in the text. They are used to detect keys that repeat within an
 * object. V8 hashes a string of digits by its numeric value, without a seed. A caller could thus choose 100,000 keys
 * that all collide in a Map, which took 28 seconds. A letter and random text before each key make its hash
 * unpredictable.
 */
export class OpenKeys {
  private readonly salt = `k${crypto.randomUUID().slice(0, 8)}`;
  // Each list has an entry for each distinct member of the open objects. The entries of a closed object are removed.
  private readonly key: string[] = [];
  private readonly valueStart: number[] = [];
  private readonly valueEnd: number[] = [];
  /**
   * The index of the member with the same key in an outer object, which `latest` contained before. It is -1 if there is
   * no such member.
   */
  private readonly shadowed: number[] = [];
  private readonly latest = new Map<string, number>();
  // Each list has an entry per open object: its first member, its current member and, if that member repeats a key, its
  // comma and value.
  private readonly first: number[] = [];
  private readonly current: number[] = [];
  private readonly repeatedComma: number[] = [];
  private readonly repeatedStart: number[] = [];

  open() {
    this.first.push(this.key.length);
    this.current.push(-1);
    this.repeatedComma.push(-1);
    this.repeatedStart.push(-1);
  }

  add(given: string, comma: number, valueStart: number) {
    const key = this.salt + given;
    const top = this.first.length - 1;
    const known = this.latest.get(key) ?? -1;
    if (known >= (this.first[top] as number)) {
      this.current[top] = known;
      this.repeatedComma[top] = comma;
      this.repeatedStart[top] = valueStart;
      return;
    }
    this.current[top] = this.key.length;
    this.repeatedComma[top] = -1;
    this.latest.set(key, this.key.length);
    this.key.push(key);
    this.valueStart.push(valueStart);
    this.valueEnd.push(-1);
    this.shadowed.push(known);
  }

  valueEnded(at: number, detours: Detours, textLength: number) {
    const top = this.first.length - 1;
    const member = this.current[top] as number;
    const comma = this.repeatedComma[top] as number;
    if (comma === -1) {
      this.valueEnd[member] = at;
      return;
    }
    // A hash map with millions of positions would take four times as much memory.
    if (detours.skip.length === 0) detours.skip = new Int32Array(textLength);
    detours.skip[comma] = at;
    detours.replace.set(this.valueStart[member] as number, {
      start: this.repeatedStart[top] as number,
      end: at,
      resume: this.valueEnd[member] as number,
    });
  }

  close() {
    const first = this.first.pop() as number;
    this.current.pop();
    this.repeatedComma.pop();
    this.repeatedStart.pop();
    while (this.key.length > first) {
      const key = this.key.pop() as string;
      const shadowed = this.shadowed.pop() as number;
      this.valueStart.pop();
      this.valueEnd.pop();
      if (shadowed === -1) this.latest.delete(key);
      else this.latest.set(key, shadowed);
    }
  }
}
