import type { SortCriterion } from '@paddock/contract';
import { type Expression, type RawBuilder, sql } from 'kysely';

/** The order of a list. */
export interface ListOrder<Field extends string> {
	/** As in the parameter `sort`: `-` for descending. */
	readonly defaultSort: readonly (Field | `-${Field}`)[];
	/** The fields that are sorted as people order text. */
	readonly alphabetical?: readonly Field[];
	/** The expressions of fields that are not sorted by the column of their name. */
	readonly expressions?: Readonly<Partial<Record<Field, Expression<unknown>>>>;
	/**
	 * Fields of large tables: never null, with an index on their expression and the id, along which any page is read; several
	 * that one index begins with, in a list of their own. Other fields sort the rows of the list.
	 */
	readonly indexed?: readonly (Field | readonly Field[])[];
}

/** One key of an order; the last one, the id, is unique. */
export interface OrderKey {
	readonly expression: Expression<unknown>;
	readonly descending: boolean;
	readonly isIndexed: boolean;
	/** Whether the index of this key, and of those before it, has the next one too. */
	readonly isContinued: boolean;
}

/** The keys of a list: the rank, the criteria or else the default, and the id, in the direction of the key before it. */
export function orderKeys<Field extends string>(
	criteria: readonly SortCriterion<Field>[] | undefined,
	{ defaultSort, alphabetical: texts = [], expressions, indexed = [] }: ListOrder<Field>,
	{ rank, id }: { readonly rank?: Expression<unknown> | undefined; readonly id: string },
): readonly OrderKey[] {
	const wanted =
		criteria ??
		defaultSort.map((name) => ({
			field: name.replace(/^-/, '') as Field,
			descending: name.startsWith('-'),
		}));
	const sorted = wanted.map(({ field, descending }, at) => ({
		expression: expressions?.[field] ?? (texts.includes(field) ? alphabetical(field) : sql.ref(field)),
		descending,
		isIndexed: indexed.flat().includes(field),
		isContinued: at === wanted.length - 1 || isContinued(wanted.slice(0, at + 2), indexed),
	}));
	const ranked = rank === undefined ? [] : [{ expression: rank, ...unindexed }];
	const keys = [...ranked, ...sorted];
	const descending = keys.at(-1)?.descending ?? false;
	return [...keys, { expression: sql.ref(id), descending, isIndexed: true, isContinued: true }];
}

const unindexed = { descending: false, isIndexed: false, isContinued: false };

/** Whether one index begins with these criteria. */
function isContinued<Field extends string>(
	criteria: readonly SortCriterion<Field>[],
	indexed: NonNullable<ListOrder<Field>['indexed']>,
): boolean {
	const [first] = criteria;
	return (
		criteria.every(({ descending }) => descending === first?.descending) &&
		indexed.some((fields) => criteria.every(({ field }, at) => field === [fields].flat()[at]))
	);
}

/**
 * Text in alphabetical order for readers (Ö next to O), the same on every server: PostgreSQL's default order depends on
 * its locale.
 */
export function alphabetical(column: string): Expression<unknown> {
	return sql`${sql.ref(column)} collate "und-x-icu"`;
}

/** Condition: the column begins with what was typed, in that order. */
export function beginsWith(column: string, typed: string): RawBuilder<boolean> {
	const [text, begin] = [alphabetical(column), typed.trim().toLowerCase()];
	return sql<boolean>`(${text} >= ${begin} and ${text} < ${`${begin}\uffff`})`;
}

/**
 * Whether the texts that `beginsWith` finds are the first ones that a search of what was typed finds. A single letter is looked for as a
 * word, several words anywhere, and umlauts in two spellings, of which one can sort before what was typed.
 */
export function isBeginning(typed: string): boolean {
	return /^[a-z]{2,}$/i.test(typed.trim()) && !/[aou]e/i.test(typed);
}

/** The same for a column that may be null, in an index too: without a text comes last, as U+FFFF sorts after all letters. */
export function alphabeticalOrLast(column: string): Expression<unknown> {
	return sql`coalesce(${sql.ref(column)}, ${sql.lit('\uffff')}) collate "und-x-icu"`;
}

/** `order by` the keys. */
export function orderedBy(keys: readonly OrderKey[], expressionOf = theirExpression): RawBuilder<unknown> {
	const parts = keys.map((key, at) =>
		key.descending ? sql`${expressionOf(key, at)} desc` : sql`${expressionOf(key, at)} asc`,
	);
	return sql`order by ${sql.join(parts)}`;
}

const theirExpression = ({ expression }: OrderKey, _at: number): Expression<unknown> => expression;

/**
 * Condition: the row comes after the one with these values. Keys of one direction that are never null are compared as a row,
 * which an index serves; otherwise key by key, with PostgreSQL's order of nulls: last ascending, first descending.
 */
export function isAfter(
	keys: readonly OrderKey[],
	values: readonly (string | null)[],
	expressionOf = theirExpression,
): RawBuilder<boolean> {
	const [first] = keys;
	const expressions = keys.map(expressionOf);
	const isUniform = keys.every(({ isIndexed, descending }) => isIndexed && descending === first?.descending);
	if (isUniform) {
		const operator = sql.raw(first?.descending === true ? '<' : '>');
		return sql<boolean>`(${sql.join(expressions)}) ${operator} (${sql.join([...values])})`;
	}
	const alternatives = keys.map(({ descending }, at) => {
		const equal = expressions
			.slice(0, at)
			.map((expression, before) => sql`${expression} is not distinct from ${values[before] ?? null}`);
		const after = comesAfter(expressions[at] ?? sql`null`, values[at] ?? null, descending);
		return sql`(${sql.join([...equal, after], sql` and `)})`;
	});
	return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

function comesAfter(expression: Expression<unknown>, value: string | null, descending: boolean) {
	if (value === null) return descending ? sql`${expression} is not null` : sql`false`;
	return descending
		? sql`${expression} < ${value}`
		: sql`(${expression} > ${value} or ${expression} is null)`;
}
