import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Access } from './access.ts';
import { type Call, routesWith, updatesWith } from './route.ts';
import type { Writers } from './writers.ts';

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
			writers: 'anyone',
			summary: 'Change a toy',
			access: 'public',
			message: 'Toy updated',
			handler: async () => ({ name: 'ball' }),
		});
	expect(declare).toThrow('replaceToy updates a record: its body and output must be objects.');
});

const basis = {
	path: '/toys',
	operationId: 'changeToy',
	summary: 'Change a toy',
	output: toy,
	message: 'Toy changed',
	handler: async () => ({ name: 'ball' }),
} as const;

describe('a write', () => {
	test('without its writers does not compile, nor does a read with some', () => {
		const route = routesWith<object>('toys');
		// @ts-expect-error: `writers` is missing.
		route({ ...basis, access: 'public', method: 'post' });
		// @ts-expect-error: a read has none.
		route({ ...basis, access: 'public', method: 'get', writers: 'anyone' });
		const update = updatesWith<object>('toys');
		// @ts-expect-error: `writers` is missing.
		update({ ...basis, access: 'signedIn', body: toy });
		expect(route({ ...basis, access: 'public', method: 'post', writers: 'anyone' }).writers).toBe('anyone');
	});

	test.each<[Writers, Access]>([
		['office', 'signedIn'],
		['office', { roles: ['MEMBER', 'ADMIN'] }],
		['anyone', 'signedIn'],
		['account', 'public'],
		['services', 'signedIn'],
		['activeMembers', 'public'],
	])('for %s has an access that agrees', (writers, access) => {
		const declare = () =>
			routesWith<object>('toys', async () => {})({ ...basis, method: 'post', writers, access });
		expect(declare).toThrow(`changeToy: its access is not for writers: ${writers}.`);
	});

	test('for active members needs the check of its context', () => {
		const declare = () =>
			routesWith<object>('toys')({ ...basis, method: 'post', writers: 'activeMembers', access: 'signedIn' });
		expect(declare).toThrow('changeToy: its access is not for writers: activeMembers.');
	});

	test('for active members is checked before its handler, one with a key by `once`', async () => {
		const calls: string[] = [];
		const route = routesWith<object>('toys', async (_call, _deps, writers) => {
			calls.push(`check ${writers}`);
		});
		const declared = { ...basis, method: 'post', writers: 'activeMembers', access: 'signedIn' } as const;
		const handler = async (request: Pick<Call, 'requireWriter'>) => {
			calls.push('handler');
			await request.requireWriter?.();
			return { name: 'ball' };
		};
		await route({ ...declared, handler }).handler({} as never, {});
		expect(calls).toEqual(['check activeMembers', 'handler']);
		calls.length = 0;
		await route({ ...declared, handler, idempotent: true }).handler({} as never, {});
		expect(calls).toEqual(['handler', 'check activeMembers']);
		expect(route({ ...declared, handler }).errors).toHaveProperty('MEMBER_NOT_ACTIVE');
	});
});
