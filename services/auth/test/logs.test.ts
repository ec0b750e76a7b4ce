import { expect, test } from '@jest/globals';
import { recordingLogger } from './recording-logger.ts';
import { goodPassword, ownAddress, runAuth, type Tokens } from './running-auth.ts';

test('nothing that opens an account reaches the log, and a stolen refresh token is noticed there', async () => {
	const { logger, lines } = recordingLogger();
	const auth = await runAuth({ logger });
	try {
		const administrator = await auth.administrator();
		const person = await auth.register();
		const tokens = await auth.signIn(person);
		const wrongPassword = 'not the right bucket';
		const newPassword = 'a quiet box in the shade';
		const post = <Data>(path: string, body: object, token?: string) =>
			auth.call<Data>('POST', path, { body, token, headers: ownAddress() });
		await post('/auth/login', { email: person.email, password: wrongPassword });
		await auth.signIn(person, tokens.deviceToken);
		await post('/auth/register', { email: 'x', password: wrongPassword, extra: wrongPassword });
		const { data: next } = await post<Tokens>('/auth/refresh', { refreshToken: tokens.refreshToken });
		await post('/auth/change-password', { currentPassword: wrongPassword, newPassword }, next.accessToken);
		await post('/auth/change-password', { currentPassword: goodPassword, newPassword }, next.accessToken);
		await auth.call('GET', `/auth/profile?token=${next.accessToken}`, { token: next.accessToken });
		await auth.call('GET', '/auth/profile', { token: `${next.accessToken.slice(0, -8)}AAAAAAAA` });
		await auth.call('POST', '/auth/keys/rotate', { token: administrator.accessToken });
		auth.clock.advance(60_000);
		await post('/auth/refresh', { refreshToken: tokens.refreshToken });

		const rows = await auth.deps.db.selectFrom('users').select('passwordHash').execute();
		const keys = await auth.deps.db.selectFrom('signingKeys').select('privateKey').execute();
		const log = lines.join('\n');
		expect(lines.filter((line) => line.includes('"message":"request"')).length).toBeGreaterThan(8);
		const secrets = [
			goodPassword,
			wrongPassword,
			newPassword,
			tokens.deviceToken,
			...[tokens, next, administrator].flatMap((t) => [t.accessToken, t.refreshToken]),
			...[tokens, next].map((t) => t.accessToken.split('.')[2] ?? ''),
			...rows.map((row) => row.passwordHash),
			...keys.map((row) => row.privateKey.split('\n')[1] ?? row.privateKey.slice(-60)),
			'PRIVATE KEY',
			'$argon2',
		];
		expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
		const warning = lines.find((line) => line.includes('a used refresh token came again'));
		expect(JSON.parse(warning ?? '{}')).toMatchObject({ level: 'warn', userId: person.id });
	} finally {
		await auth.close();
	}
});

test('each refused sign-in is one line with account, address and reason, without the e-mail address', async () => {
	const { logger, lines } = recordingLogger();
	const auth = await runAuth({ logger });
	try {
		const person = await auth.register();
		const headers = ownAddress();
		const signIn = (email: string, password: string) =>
			auth.call('POST', '/auth/login', { body: { email, password }, headers });
		const refusals = () =>
			lines
				.map((line): Record<string, unknown> => JSON.parse(line))
				.filter(({ message }) => message === 'sign-in refused');
		await signIn('nobody@example.org', goodPassword);
		for (let failure = 0; failure < 6; failure++) await signIn(person.email, 'not the right bucket');
		await auth.deps.db
			.updateTable('users')
			.set({ status: 'SUSPENDED' })
			.where('id', '=', person.id)
			.execute();
		auth.clock.advance(60_000);
		await signIn(person.email, goodPassword);

		const wrong = { userId: person.id, address: headers['X-Forwarded-For'], source: 'unknownDevice' };
		const { userId: _, ...unknown } = wrong;
		expect(refusals()).toEqual([
			expect.objectContaining({ ...unknown, level: 'info', reason: 'unknownAccount' }),
			...Array.from({ length: 5 }, () => expect.objectContaining({ ...wrong, reason: 'wrongPassword' })),
			expect.objectContaining({ ...wrong, reason: 'delayed' }),
			expect.objectContaining({ ...wrong, reason: 'accountSuspended' }),
		]);
		expect(refusals()[0]).not.toHaveProperty('userId');
		expect(lines.filter((line) => line.includes(person.email) || line.includes('nobody@'))).toEqual([]);
	} finally {
		await auth.close();
	}
});

test('each successful sign-in is one line with account, address and kind of device', async () => {
	const { logger, lines } = recordingLogger();
	const auth = await runAuth({ logger });
	try {
		const person = await auth.register();
		const { deviceToken } = await auth.signIn(person);
		await auth.signIn(person, deviceToken);
		const signIns = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'signed in');
		expect(signIns).toEqual(
			['unknownDevice', 'knownDevice'].map((source) =>
				expect.objectContaining({ userId: person.id, source, address: expect.stringMatching(/./) }),
			),
		);
		expect(JSON.stringify(signIns)).not.toContain(person.email);
	} finally {
		await auth.close();
	}
});
