import { CamelCasePlugin } from 'kysely';

/**
 * `postal_code` → `postalCode`. An underscore before a digit is kept (`iso3166_2`), because the reverse conversion
 * would lose it.
 */
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
 * Converts the names of tables and columns in queries and rows with `camelCaseName`. Names inside JSON values and the
 * text of raw SQL are not converted.
 */
export const camelCaseColumns = new CamelCaseColumns({ maintainNestedObjectKeys: true });
