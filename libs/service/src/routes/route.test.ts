import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Access } from './access.ts';
import type { Readers, Writers } from './readers-and-writers.ts';
import { type Call, routesWith, updatesWith } from './route.ts';

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

describe('a read that gets a caller', () => {
	const declared = { ...basis, method: 'get', access: 'signedIn' } as const;

	test('without its readers does not compile, nor does a write with some', () => {
		const route = routesWith<object>('toys');
		// @ts-expect-error: `readers` is missing.
		route(declared);
		// @ts-expect-error: a public route that reads a token needs them, too.
		route({ ...declared, access: 'public', tokenOptional: true });
		// @ts-expect-error: a public route without a token has no caller.
		route({ ...declared, access: 'public', readers: 'everyone' });
		// @ts-expect-error: a write has writers.
		route({ ...declared, method: 'post', writers: 'account', readers: 'account' });
		// @ts-expect-error: what everyone reads cannot depend on the caller.
		route({ ...declared, readers: 'everyone', handler: ({ principal }) => ({ name: principal.userId }) });
		// @ts-expect-error: nor can it be shown without the declared view.
		route({ ...declared, readers: () => 'all', handler: ({ principal }) => ({ name: principal.userId }) });
		expect(route({ ...declared, access: 'public' }).readers).toBeUndefined();
	});

	test.each<[Readers, Access]>([
		['office', 'signedIn'],
		['office', { roles: ['MEMBER', 'ADMIN'] }],
		['account', { scope: 'toys:lookup' }],
		['services', 'signedIn'],
	])('for %s has an access that agrees', (readers, access) => {
		const declare = () => routesWith<object>('toys')({ ...declared, readers, access });
		expect(declare).toThrow(`changeToy: its access is not for readers: ${readers}.`);
	});

	test('passes on the caller only to readers of the own account and to the office', async () => {
		const route = routesWith<object>('toys');
		const got: unknown[] = [];
		const handler = (request: object) => {
			got.push(request);
			return { name: 'ball' };
		};
		const call = { principal: { userId: 'u' }, query: {} } as never;
		await route({ ...declared, readers: 'account', handler }).handler(call, {});
		await route({ ...declared, readers: 'everyone', handler }).handler(call, {});
		const readers = ({ principal }: Pick<Call, 'principal'>) => `seen by ${principal.userId}`;
		await route({ ...declared, readers, handler }).handler(call, {});
		expect(got).toEqual([call, { query: {} }, { query: {}, viewer: 'seen by u' }]);
	});
});
