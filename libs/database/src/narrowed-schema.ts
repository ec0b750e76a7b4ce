import type { ColumnType } from 'kysely';

/** Some columns of some tables of a schema, each with its own type. */
type Columns<Schema> = {
	readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]?: unknown };
};

/**
 * A generated schema with narrower column types that the generator can't infer, e.g. from a check constraint or for a
 * JSON value.
 */
export type NarrowedSchema<Schema, Narrowed extends Columns<Schema>> = {
	[Table in keyof Schema]: Table extends keyof Narrowed
		? Omit<Schema[Table], keyof Narrowed[Table]> & Narrowed[Table]
		: Schema[Table];
};

/** JSON that is read as a value and written as text. */
export type JsonColumn<Value> = ColumnType<Value | null, string | null, string | null>;

/** A column that the database computes. */
export type ComputedColumn<Value> = ColumnType<Value, never, never>;
