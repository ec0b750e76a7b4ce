/** A definition of an age class, as the master data keep it. */
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

/** Where and when the rider starts. */
export interface AgeClassUse {
	/** `YYYY-MM-DD` */
	readonly date: string;
	readonly discipline: string;
	readonly ponyOnly: boolean;
}

/**
 * What a code means there: where ponies are ridden the definition for ponies counts, else the one for horses; a code that
 * only the other table knows (the FEI's PONY) means that one.
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

/** The codes of all classes that a rider of this age belongs to on that day, each once, as an entry keeps them. */
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
