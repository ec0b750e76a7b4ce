import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { type RawBuilder, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import { horsesError } from '../errors.ts';
import { seesIdentifiers } from '../horse-access.ts';

/** Columns of unique numbers, in order of precedence. */
const uniqueColumns = ['ueln', 'microchip', 'federationHorseNumber', 'headNumber', 'feiId'] as const;

export type NumberColumn = (typeof uniqueColumns)[number] | 'passportKey';

const allColumns: readonly NumberColumn[] = [...uniqueColumns, 'passportKey'];
const guestColumns: readonly NumberColumn[] = ['federationHorseNumber', 'headNumber', 'feiId'];

/** The columns by which the caller may find a horse: the numbers that the caller may read. */
export function numberColumnsFor(principal: Principal): readonly NumberColumn[] {
	return seesIdentifiers(principal) ? allColumns : guestColumns;
}

/** Whether the list contains all number columns. */
export function findsAll(columns: readonly NumberColumn[]): boolean {
	return columns.length === allColumns.length;
}

/** Condition: one of the columns equals this cleaned number. */
export function hasNumber(number: string, columns: readonly NumberColumn[]): RawBuilder<boolean> {
	return anyOf(columns, (column) => sql`${column} = ${number}`);
}

/** Condition: one of the columns contains this part of a cleaned number. */
export function hasNumberPart(part: string, columns: readonly NumberColumn[]): RawBuilder<boolean> {
	return anyOf(columns, (column) => sql`coalesce(strpos(${column}, ${part}), 0) > 0`);
}

function anyOf(
	columns: readonly NumberColumn[],
	condition: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<boolean> {
	const conditions = columns.map((column) => condition(sql.ref(column)));
	return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/**
 * The horse with this cleaned number. Numbers of different kinds may have the same digits (a UELN may look like a
 * microchip): the more distinctive kind takes precedence.
 * @throws ApiError NOT_FOUND; NUMBER_AMBIGUOUS if it is the passport number of several horses, as each issuer numbers
 * independently.
 */
export async function getHorseByNumber(
	db: HorsesQueryable,
	number: string,
	{ withRemoved, columns }: { readonly withRemoved: boolean; readonly columns: readonly NumberColumn[] },
): Promise<HorseRow> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where(hasNumber(number, columns))
		.$if(!withRemoved, (select) => select.where('status', '<>', 'INACTIVE'))
		// A passport number may be many horses', who must not crowd out the one that is meant.
		.orderBy(sql`coalesce(passport_key = ${number}, false)`)
		.limit(uniqueColumns.length + 2)
		.execute();
	for (const column of uniqueColumns.filter((name) => columns.includes(name))) {
		const found = rows.find((row) => row[column] === number);
		if (found !== undefined) return found;
	}
	const [only, ...others] = rows;
	if (only === undefined) throw apiError('NOT_FOUND', { message: 'No horse has this number.' });
	if (others.length > 0)
		throw horsesError('NUMBER_AMBIGUOUS', { context: { horseIds: rows.map(({ id }) => id) } });
	return only;
}
