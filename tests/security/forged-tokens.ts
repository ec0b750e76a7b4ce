import { describe, expect, test } from '@jest/globals';
import { createTestIdentity } from '@paddock/testing';
import { system } from './tried-system.ts';

describe('a token that the auth context did not sign', () => {
	test('is refused everywhere, in whatever way it was forged', async () => {
		const stranger = await createTestIdentity();
		const forged = stranger.forge().filter(({ overHttp }) => overHttp);
		expect(forged.length).toBeGreaterThan(50);
		const tokens = [
			...forged,
			{ name: 'signed with an unknown key', token: stranger.sign({ roles: ['ADMIN'] }) },
		];
		for (const { name, token } of tokens) {
			const response = await fetch(`${system.gateway.url}/auth/profile`, {
				headers: { Authorization: `Bearer ${token}` },
			});
			const body = (await response.json()) as { data: { code: string } };
			expect([name, response.status, body.data.code]).toEqual([name, 401, 'INVALID_TOKEN']);
			expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
		}
	}, 60_000);

	test('with one flipped byte is refused, unchanged it is accepted', async () => {
		const token = await system.signIn();
		const profile = (value: string) =>
			fetch(`${system.gateway.url}/auth/profile`, { headers: { Authorization: `Bearer ${value}` } });
		expect((await profile(token)).status).toBe(200);
		for (let index = 5; index < token.length; index += 97) {
			if (token[index] === '.') continue;
			const flipped = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
			expect((await profile(flipped)).status).toBe(401);
		}
		expect((await profile(token)).status).toBe(200);
	});
});
