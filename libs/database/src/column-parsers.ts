import { CamelCasePlugin } from 'kysely';
import { type CustomTypesConfig, types } from 'pg';

type TextParser = (text: string) => unknown;

/** From PostgreSQL's pg_type.dat; these values never change. */
const oid = {
	int8: 20,
	date: 1082,
	numeric: 1700,
	textArray: 1009,
	int8Array: 1016,
	dateArray: 1182,
	numericArray: 1231,
};

/** Every decimal of this many significant digits survives the conversion to a double and back (IEEE 754, DBL_DIG). */
const exactDigitsMax = 15;

/**
 * Conversion of the columns of one pool to JavaScript values; other types are parsed as in `pg` (`timestamptz` → Date,
 * `text` → string, `jsonb` → parsed):
 * - `date` → `'YYYY-MM-DD'`; pg's own Date is midnight in the process's time zone, a different day elsewhere.
 * - `int8` (and so `count(*)`) → number; throws RangeError outside ±(2⁵³−1).
 * - `numeric` → number; throws RangeError beyond 15 significant digits. `avg()` has more: cast it to float8.
 *
 * Arrays of the three follow the same rules. The parsers apply to this pool only, not to the whole driver.
 */
export const columnParsers: CustomTypesConfig = {
	getTypeParser: (id: number, format?: 'text' | 'binary') => {
		const ours = format === 'binary' ? undefined : parsers.get(id);
		return ours ?? types.getTypeParser(id, format);
	},
};

/** @throws RangeError when the value isn't a safe integer. */
function parseInt8(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is no safe integer`);
	return value;
}

/** @throws RangeError when the value has more digits than a double preserves, or is NaN or infinite. */
function parseNumeric(text: string): number {
	const digits = text.replace(/[-.]/g, '').replace(/^0+/, '');
	if (!/^\d*$/.test(digits) || digits.length > exactDigitsMax) {
		throw new RangeError(`numeric ${text} is not exact as a number; cast it to float8 or text`);
	}
	return Number(text);
}

const asIs: TextParser = (text) => text;

const parsers = new Map<number, TextParser>([
	[oid.date, asIs],
	[oid.int8, parseInt8],
	[oid.numeric, parseNumeric],
	[oid.dateArray, arrayOf(asIs)],
	[oid.int8Array, arrayOf(parseInt8)],
	[oid.numericArray, arrayOf(parseNumeric)],
]);

function arrayOf(parse: TextParser): TextParser {
	const parseTexts: TextParser = types.getTypeParser(oid.textArray);
	return (text) => mapTexts(parseTexts(text), parse);
}

function mapTexts(value: unknown, parse: TextParser): unknown {
	if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, parse));
	return typeof value === 'string' ? parse(value) : value;
}

/**
 * `postal_code` → `postalCode`. An underscore before a digit is kept (`iso3166_2`), because the reverse conversion
 * would lose it.
 */
export function camelCaseName(name: string): string {
	return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reverses `camelCaseName`. */
export function columnName(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
