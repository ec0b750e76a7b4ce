import { apiError } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import { horsesError } from '../errors.ts';

/** Columns of unique numbers, in order of precedence. */
const uniqueColumns = ['ueln', 'microchip', 'federationHorseNumber', 'headNumber', 'feiId'] as const;

const allColumns = [...uniqueColumns, 'passportKey'] as const;
const guestColumns = ['federationHorseNumber', 'headNumber', 'feiId'] as const;

export interface FindingScope {
	readonly withDeleted: boolean;
	/** By UELN, microchip and passport number too. */
	readonly withIdentifiers: boolean;
}

function columnsOf({ withIdentifiers }: FindingScope): readonly (typeof allColumns)[number][] {
	return withIdentifiers ? allColumns : guestColumns;
}

export function hasNumber(number: string, scope: FindingScope): RawBuilder<boolean> {
	return anyNumber(scope, (column) => sql`${column} = ${number}`);
}

/** Condition: a number contains this part of a cleaned number, or begins with it; its Ö (of head numbers) may be an O. */
export function hasNumberPart(
	part: string,
	{ atBegin }: { readonly atBegin: boolean },
	scope: FindingScope,
): RawBuilder<boolean> {
	const plain = part.replaceAll('Ö', 'O');
	const isFound = sql.raw(atBegin ? '= 1' : '> 0');
	return anyNumber(
		scope,
		(column) => sql`coalesce(strpos(replace(${column}, 'Ö', 'O'), ${plain}), 0) ${isFound}`,
	);
}

function anyNumber(
	scope: FindingScope,
	condition: (column: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<boolean> {
	const conditions = columnsOf(scope).map((column) => condition(sql.ref(column)));
	return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/**
 * Of numbers of several kinds with the same digits (UELN, microchip) the more distinctive kind takes precedence.
 * @throws ApiError NOT_FOUND; NUMBER_AMBIGUOUS for a passport number of several horses, as each issuer numbers independently.
 */
export async function getHorseByNumber(
	db: HorsesQueryable,
	number: string,
	scope: FindingScope,
): Promise<HorseRow> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where(hasNumber(number, scope))
		.$if(!scope.withDeleted, (select) => select.where('status', '<>', 'INACTIVE'))
		// A passport number may be many horses', who must not crowd out the one that is meant.
		.orderBy(sql`coalesce(passport_key = ${number}, false)`)
		.limit(uniqueColumns.length + 2)
		.execute();
	const columns = columnsOf(scope);
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
