/** The base class of the D1 stores. Provides the database, its replica and helper methods for statements. */
export abstract class D1Store {
  protected readonly database: D1Database;

  constructor(database: D1Database) {
    this.database = database;
  }

  /** The nearest replica of the database. It may be a few seconds behind. */
  protected get replica(): Pick<D1Database, 'prepare' | 'batch'> {
    return this.database.withSession('first-unconstrained');
  }

  /** Returns a statement with its bound values, for use in a batch. */
  protected bound(sql: string, values: readonly unknown[]): D1PreparedStatement {
    return this.database.prepare(sql).bind(...values);
  }

  protected first<Row>(sql: string, values: readonly unknown[]): Promise<Row | null> {
    return this.bound(sql, values).first<Row>();
  }

  protected async all<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.bound(sql, values).all<Row>()).results;
  }

  protected async run(sql: string, values: readonly unknown[]): Promise<void> {
    await this.bound(sql, values).run();
  }

  /** Runs a statement. Returns whether it changed any row. */
  protected async changes(sql: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.bound(sql, values).run()).meta.changes > 0;
  }
}
