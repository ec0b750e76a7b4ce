import { CamelCasePlugin } from 'kysely';

/** `postal_code` → `postalCode`. An underscore before a digit stays (`iso3166_2`), as the way back would lose it. */
export function camelCaseName(name: string): string {
	return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

class CamelCaseColumns extends CamelCasePlugin {
	readonly #names = new Map<string, string>();

	protected override camelCase(name: string): string {
		const known = this.#names.get(name);
		if (known !== undefined) return known;
		const camelCase = camelCaseName(name);
		this.#names.set(name, camelCase);
		return camelCase;
	}
}

/**
 * Queries and rows name tables and columns as `camelCaseName` does. Names inside of JSON values and the text of raw SQL
 * stay as they are.
 */
export const camelCaseColumns = new CamelCaseColumns({ maintainNestedObjectKeys: true });
