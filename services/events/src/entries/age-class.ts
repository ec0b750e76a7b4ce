/** A definition of an age class in the master data. */
export interface AgeClassDefinition {
	readonly code: string;
	readonly category: 'RIDER' | 'PONY';
	/** Null = in all disciplines. */
	readonly discipline: string | null;
	/** Inclusive, null = open. */
	readonly minAge: number | null;
	readonly maxAge: number | null;
	/** `YYYY-MM-DD`, inclusive, null = open. */
	readonly validFrom: string | null;
	readonly validTo: string | null;
}

/** Day, discipline and kind of competition that an age class is applied to. */
export interface AgeClassUse {
	/** `YYYY-MM-DD` */
	readonly date: string;
	readonly discipline: string;
	readonly ponyOnly: boolean;
}

/**
 * The definitions of a code that apply: those for ponies in pony competitions, otherwise those for horses. A code that
 * exists only in the other table (the FEI's PONY) resolves to that one.
 */
export function definitionsOf(
	code: string,
	all: readonly AgeClassDefinition[],
	{ date, discipline, ponyOnly }: AgeClassUse,
): readonly AgeClassDefinition[] {
	const valid = all.filter(
		(definition) =>
			definition.code === code &&
			(definition.discipline === null || definition.discipline === discipline) &&
			(definition.validFrom === null || definition.validFrom <= date) &&
			(definition.validTo === null || definition.validTo >= date),
	);
	const ofTable = valid.filter(({ category }) => category === (ponyOnly ? 'PONY' : 'RIDER'));
	return ofTable.length > 0 ? ofTable : valid;
}

/** Whether a rider of this age belongs to the class. */
export function admitsAge({ minAge, maxAge }: AgeClassDefinition, age: number): boolean {
	return (minAge === null || age >= minAge) && (maxAge === null || age <= maxAge);
}

/** Distinct codes of all classes that a rider of this age belongs to on that day, as stored in an entry. */
export function ageClassCodes(
	all: readonly AgeClassDefinition[],
	age: number,
	date: string,
): readonly string[] {
	const fitting = all.filter(
		(definition) =>
			admitsAge(definition, age) &&
			(definition.validFrom === null || definition.validFrom <= date) &&
			(definition.validTo === null || definition.validTo >= date),
	);
	return [...new Set(fitting.map(({ code }) => code))];
}
