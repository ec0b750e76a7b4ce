import { line } from './schemas.ts';

/**
 * A line of text or null. The OpenAPI generator omits `nullable` if a schema's type is set explicitly, as in `line`.
 */
export function nullableLine(lengthMin: number, lengthMax: number) {
	return line(lengthMin, lengthMax)
		.nullable()
		.meta({ type: 'string', minLength: lengthMin, maxLength: lengthMax, nullable: true });
}
