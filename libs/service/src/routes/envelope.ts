import { fieldErrorCodes } from '@paddock/contract';
import { z } from 'zod';

const said = (example: string) => ({
	message: z.string().meta({ example, description: 'Result for people, in English.' }),
	timestamp: z.iso.datetime({ precision: 3 }).describe('When the response was made, in UTC.'),
});

export function envelopeOf(data: z.ZodType, exampleMessage = 'Done') {
	return z.strictObject({
		success: z.literal(true).describe('True: the operation succeeded.'),
		data,
		...said(exampleMessage),
	});
}

const fieldErrorSchema = z
	.strictObject({
		field: z
			.string()
			.describe('Path of the field, such as `address.city` or `starts[0]`; empty for the whole body.'),
		code: z
			.enum(fieldErrorCodes)
			.meta({ id: 'FieldErrorCode', description: 'Kind of the error of a field.' }),
		message: z.string().describe('What the field must be, for people.'),
	})
	.meta({ id: 'FieldError', description: 'Error of one input field.' });

const failureData = z
	.looseObject({
		code: z
			.string()
			.meta({ example: 'NOT_FOUND', description: 'Code of the failure, from `x-error-codes`.' }),
		status: z.int().describe('HTTP status of the response.'),
		requestId: z.string().describe('Id of the request, as in `X-Request-Id`; for reports.'),
		errors: z.array(fieldErrorSchema).optional().describe('All invalid fields; absent for other failures.'),
	})
	.meta({ id: 'FailureData', description: 'Details of a failure. A code may add fields of its own.' });

export const failureSchema = z
	.strictObject({
		success: z.literal(false).describe('False: the operation failed.'),
		data: failureData,
		...said('Record not found.'),
	})
	.meta({ id: 'Failure', description: 'Envelope of every failure.' });
