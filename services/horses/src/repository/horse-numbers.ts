import { fail } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';
import type { HorseRow, HorsesQueryable } from '../database-schema.ts';
import { failHorses } from '../errors.ts';

/** The numbers that only one horse has, in the order in which they are looked at. */
const uniqueColumns = ['ueln', 'microchip', 'federation_horse_number', 'head_number', 'fei_id'] as const;

/** Whether a horse has this number, cleaned, as any of its numbers. */
export function hasNumber(number: string): RawBuilder<boolean> {
	const columns = [...uniqueColumns, 'passport_key'].map(
		(column) => sql<boolean>`${sql.ref(column)} = ${number}`,
	);
	return sql<boolean>`(${sql.join(columns, sql` or `)})`;
}

/**
 * The horse with this number, cleaned. Kinds of numbers may have the same digits (a UELN may look like a microchip): the
 * more distinctive kind wins.
 * @throws ApiError NOT_FOUND; NUMBER_AMBIGUOUS where it is the passport number of several, as issuers number by themselves.
 */
export async function getHorseByNumber(
	db: HorsesQueryable,
	number: string,
	withRemoved: boolean,
): Promise<HorseRow> {
	const rows = await db
		.selectFrom('horses')
		.selectAll()
		.where(hasNumber(number))
		.$if(!withRemoved, (select) => select.where('status', '<>', 'INACTIVE'))
		// A passport number may be many horses', who must not crowd out the one that is meant.
		.orderBy(sql`coalesce(passport_key = ${number}, false)`)
		.limit(uniqueColumns.length + 2)
		.execute();
	for (const column of uniqueColumns) {
		const found = rows.find((row) => row[column] === number);
		if (found !== undefined) return found;
	}
	const [only, ...others] = rows;
	if (only === undefined) throw fail('NOT_FOUND', { message: 'No horse has this number.' });
	if (others.length > 0)
		throw failHorses('NUMBER_AMBIGUOUS', { context: { horseIds: rows.map(({ id }) => id) } });
	return only;
}
