import { fieldErrorCodes } from '@paddock/contract';
import { z } from 'zod';

/** The envelope around `data` in a success response. */
export function envelopeOf(data: z.ZodType) {
	return z.strictObject({
		success: z.literal(true),
		data,
		message: z.string(),
		timestamp: z.iso.datetime({ precision: 3 }),
	});
}

const fieldErrorSchema = z
	.strictObject({ field: z.string(), code: z.enum(fieldErrorCodes), message: z.string() })
	.meta({ id: 'FieldError' });

/** The envelope of a failure response. */
export const failureSchema = z
	.strictObject({
		success: z.literal(false),
		data: z.looseObject({
			code: z.string().meta({ example: 'NOT_FOUND' }),
			status: z.int(),
			requestId: z.string(),
			errors: z.array(fieldErrorSchema).optional(),
		}),
		message: z.string(),
		timestamp: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Failure' });
