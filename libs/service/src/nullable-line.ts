import { line } from './schemas.ts';

/** A line of text or null. The generator of OpenAPI forgets `nullable` where a schema's type is given by hand, as `line` does. */
export function nullableLine(lengthMin: number, lengthMax: number) {
	return line(lengthMin, lengthMax)
		.nullable()
		.meta({ type: 'string', minLength: lengthMin, maxLength: lengthMax, nullable: true });
}
