import { CamelCasePlugin } from 'kysely';

class CamelCaseColumns extends CamelCasePlugin {
	readonly #names = new Map<string, string>();

	protected override camelCase(name: string): string {
		const known = this.#names.get(name);
		if (known !== undefined) return known;
		const camelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
		this.#names.set(name, camelCase);
		return camelCase;
	}
}

/**
 * `postal_code` in the database is `postalCode` in queries and rows. An underscore before a digit stays (`iso3166_2`), as
 * the way back would lose it; so do the names inside of JSON values and the text of raw SQL.
 */
export const camelCaseColumns = new CamelCaseColumns({ maintainNestedObjectKeys: true });
