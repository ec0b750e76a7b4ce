import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { routesWith } from './route.ts';

const toy = z.strictObject({ name: z.string() });

test.each<[string, { body: z.ZodType; output: z.ZodType }]>([
	['body', { body: toy.array(), output: toy }],
	['output', { body: toy, output: toy.nullable() }],
])('a route with server-owned fields whose %s is not an object can not be declared', (_part, schemas) => {
	const declare = () =>
		routesWith('toys')({
			...schemas,
			method: 'put',
			path: '/toys/{id}',
			operationId: 'replaceToy',
			summary: 'Replace a toy',
			access: 'public',
			serverOwned: true,
			message: 'Toy updated',
			handler: () => ({ name: 'ball' }),
		});
	expect(declare).toThrow('replaceToy has server-owned fields: its body and output must be objects.');
});
