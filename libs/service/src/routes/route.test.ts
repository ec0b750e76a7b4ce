import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { updatesWith } from './route.ts';

const toy = z.strictObject({ name: z.string() });

test.each<[string, { body: z.ZodType; output: z.ZodType }]>([
	['body', { body: toy.array(), output: toy }],
	['output', { body: toy, output: toy.nullable() }],
])('an update whose %s is not an object can not be declared', (_part, schemas) => {
	const declare = () =>
		updatesWith('toys')({
			...schemas,
			path: '/toys/{id}',
			operationId: 'replaceToy',
			summary: 'Change a toy',
			access: 'public',
			message: 'Toy updated',
			handler: async () => ({ name: 'ball' }),
		});
	expect(declare).toThrow('replaceToy updates a record: its body and output must be objects.');
});
