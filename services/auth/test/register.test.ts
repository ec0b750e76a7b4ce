import { describe, expect, test } from '@jest/globals';
import type { UserDto } from '../src/users/schemas.ts';
import { goodPassword, newPerson, useAuth } from './running-auth.ts';

const auth = useAuth({ realHashes: true });
const { call } = auth;

interface Receipt {
	readonly email: string;
	readonly verificationRequired: boolean;
}

const storedUser = (email: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('POST /auth/register', () => {
	test('refuses an Idempotency-Key: keys belong to an account, and there is none yet', async () => {
		const person = newPerson();
		const headers = { 'Idempotency-Key': 'once' };
		const { status, data } = await call('POST', '/auth/register', { body: person, headers });
		expect([status, data['errors']]).toEqual([
			400,
			[{ field: 'Idempotency-Key', code: 'UNKNOWN_FIELD', message: 'is not supported by this operation' }],
		]);
		expect((await call('POST', '/auth/register', { body: person })).status).toBe(201);
	});

	test('creates an active member, without a token, and stores the password only as an argon2id hash', async () => {
		const person = newPerson({ email: '  Anna.HUBER+1@Example.ORG ', phoneNumber: '0660 123 45 67' });
		const response = await call<Receipt>('POST', '/auth/register', { body: person });
		expect(response.status).toBe(201);
		expect(response.headers.get('Location')).toBe('/auth/profile');
		expect(response.headers.get('Cache-Control')).toBe('no-store');
		expect(response.data).toEqual({ email: 'anna.huber+1@example.org', verificationRequired: false });
		expect(response.text).not.toContain(goodPassword);
		expect(response.text).not.toContain('argon2');
		expect(response.text).not.toContain('oken');
		const row = await storedUser('anna.huber+1@example.org');
		expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
		expect(row).toMatchObject({
			phoneNumber: '+436601234567',
			roles: ['MEMBER'],
			roleScopes: {},
			memberId: null,
			status: 'ACTIVE',
			lastLoginAt: null,
			version: 1,
		});
	});

	test('names all bad fields at once', async () => {
		const response = await call('POST', '/auth/register', {
			body: { email: 'nobody', password: 'short', firstName: ' ', phoneNumber: '0660', locale: '??' },
		});
		expect(response.status).toBe(400);
		expect(response.data.code).toBe('VALIDATION_ERROR');
		expect(response.data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'email INVALID_FORMAT',
			'firstName INVALID_LENGTH',
			'lastName REQUIRED',
			'locale INVALID_FORMAT',
			'password INVALID_LENGTH',
			'phoneNumber INVALID_FORMAT',
		]);
	});

	test.each([
		['a common password', { password: 'Password1234!' }],
		['the own last name', { password: 'huber rides a mare' }],
		['the own address', { password: 'my-anna.h@example.org', email: 'anna.h@example.org' }],
		['129 characters', { password: 'ab cd'.repeat(26).slice(0, 129) }],
	])('refuses %s as a password', async (_name, changes) => {
		const response = await call('POST', '/auth/register', { body: newPerson(changes) });
		expect(response.status).toBe(400);
		expect(response.data.errors?.map((error) => error.field)).toEqual(['password']);
		expect(response.text).not.toContain(changes.password);
	});

	test.each([
		['not an address', 'anna@'],
		['the Kelvin sign, which lower-cases to a plain k', '\u212Aarl@example.org'],
		['a letter beyond ASCII', 'änna@example.org'],
		['a domain that is not valid', 'anna@xn--ü.example'],
		['a domain with a hidden character', 'anna@mü\u200bller.example'],
		['an encoded domain', 'anna@mü%6cler.example'],
		['two @', 'anna@ü@example.org'],
		['an address as domain', 'anna@１２７.１'],
		['255 characters', `${'a'.repeat(243)}@example.org`],
		['a line break inside', 'anna@example.org\nbcc: x@example.org'],
	])('refuses %s as an e-mail address', async (_name, email) => {
		const response = await call('POST', '/auth/register', { body: newPerson({ email }) });
		expect(response.data.errors?.map((error) => error.field)).toContain('email');
	});

	// Refused, or two accounts, depending on the form of the domain.
	test('an address with umlauts in its domain is one account in any spelling', async () => {
		const person = newPerson({ email: 'Anna@Pferdehof-Müller.example' });
		const { status, data } = await call<Receipt>('POST', '/auth/register', { body: person });
		expect([status, data.email]).toEqual([201, 'anna@xn--pferdehof-mller-9vb.example']);
		for (const email of [
			'anna@pferdehof-müller.example',
			'ANNA@PFERDEHOF-MÜLLER.EXAMPLE',
			'anna@pferdehof-mu\u0308ller.example',
			'anna@XN--pferdehof-mller-9vb.example',
			'anna@pferdehof-müller。example',
		]) {
			const again = await call<Receipt>('POST', '/auth/register', {
				body: newPerson({ email, password: 'a password of another person' }),
			});
			expect([email, again.data.email]).toEqual([email, 'anna@xn--pferdehof-mller-9vb.example']);
			await auth.signIn({ email, password: person.password });
		}
	});

	test.each([[{ firstName: '' }], [{ firstName: null }], [{ firstName: undefined }]])(
		'a person with one name has a last name only: %j',
		async (changes) => {
			const person = newPerson({ lastName: 'Sukarno', ...changes });
			expect((await call('POST', '/auth/register', { body: person })).status).toBe(201);
			const { accessToken: token, user } = await auth.signIn(person);
			expect([user.firstName, user.lastName]).toEqual(['', 'Sukarno']);
			const body = { lastName: 'Suharto' };
			const profile = await call<UserDto>('PUT', '/auth/profile', { token, body });
			expect([profile.status, profile.data.firstName, profile.data.lastName]).toEqual([200, '', 'Suharto']);
		},
	);

	test.each([
		{ roles: ['ADMIN'] },
		{ role: 'ADMIN' },
		{ roleScopes: {} },
		{ id: '00000000-0000-4000-8000-000000000000' },
		{ status: 'ACTIVE' },
		{ memberId: null },
		{ createdAt: '2020-01-01T00:00:00.000Z' },
		{ isDemo: true },
		{ password_hash: 'x' },
		{ password_hash: 'x' },
		{ version: 9 },
	])('refuses %j in a registration', async (extra) => {
		const person = newPerson(extra);
		const response = await call('POST', '/auth/register', { body: person });
		expect(response.status).toBe(400);
		expect(response.data.errors?.map(({ field, code }) => [field, code])).toEqual([
			[Object.keys(extra)[0], 'UNKNOWN_FIELD'],
		]);
		expect(await storedUser(person.email)).toBeUndefined();
	});

	test('responds the same for an address that is registered, and leaves its account as it is', async () => {
		const { email, password } = await auth.register();
		const before = await storedUser(email);
		const body = newPerson({ email: email.toUpperCase(), password: 'a password of another person' });
		const response = await call<Receipt>('POST', '/auth/register', { body });
		const fresh = await call<Receipt>('POST', '/auth/register', { body: newPerson() });
		expect([response.status, response.message]).toEqual([fresh.status, fresh.message]);
		expect(response.data).toEqual({ email, verificationRequired: false });
		expect(await storedUser(email)).toEqual(before);
		await auth.signIn({ email, password });
	});

	test('one of 20 concurrent ones with one address makes the account', async () => {
		const person = newPerson();
		const responses = await Promise.all(
			Array.from({ length: 20 }, () => call('POST', '/auth/register', { body: person })),
		);
		expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
		expect(await storedUser(person.email)).toMatchObject({ version: 1 });
	});
});
