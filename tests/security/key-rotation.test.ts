import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { startLoad } from '../resilience/load.ts';
import { startSystem } from '../system.ts';

test('key rotation under load: no call is refused, except with tokens of a removed key', async () => {
	const lifeMs = 4_000;
	const system = await startSystem({
		services: {
			ACCESS_TOKEN_MS: String(lifeMs),
			KEY_LEAD_MS: '1500',
			KEY_RELOAD_MS: '200',
			MAINTENANCE_INTERVAL_MS: '200',
		},
	});
	try {
		const kidsOf = async () => {
			const response = await fetch(`${system.gateway.url}/.well-known/jwks.json`);
			return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
		};
		const kidOf = (token: string) =>
			(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
		const endOf = (token: string) =>
			JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp * 1_000;
		let token = await system.signIn();
		const first = token;
		const load = startLoad(4, () =>
			fetch(`${system.gateway.url}/auth/profile`, { headers: { Authorization: `Bearer ${token}` } }),
		);
		const rotated = await fetch(`${system.gateway.url}/auth/keys/rotate`, {
			method: 'POST',
			headers: { Authorization: `Bearer ${token}` },
		});
		expect(rotated.status).toBeLessThan(300);
		await eventually('two keys are published', async () => (await kidsOf()).length === 2);
		await eventually(
			'the new key signs',
			async () => {
				token = await system.signIn();
				return kidOf(token) !== kidOf(first);
			},
			10_000,
		);
		const result = await load.stop();
		expect(result.failures).toEqual([]);
		expect(result.requests).toBeGreaterThan(40);

		expect(kidOf(token)).not.toBe(kidOf(first));
		await eventually(
			'the new key is known',
			async () => {
				const last = await fetch(`${system.gateway.url}/auth/profile`, {
					headers: { Authorization: `Bearer ${token}` },
				});
				if (last.status === 200) return true;
				// In a slow moment it has run out, or the gateway didn't get the new key in time and says so.
				if (Date.now() < endOf(token))
					expect([last.status, await last.text()]).toEqual([503, expect.any(String)]);
				token = await system.signIn();
				return false;
			},
			30_000,
		);
		await eventually(
			'the old key is withdrawn',
			async () => !(await kidsOf()).includes(kidOf(first)),
			60_000,
		);
		const refused = await fetch(`${system.gateway.url}/auth/profile`, {
			headers: { Authorization: `Bearer ${first}` },
		});
		expect(refused.status).toBe(401);
		const fresh = await system.signIn();
		const taken = await fetch(`${system.gateway.url}/auth/profile`, {
			headers: { Authorization: `Bearer ${fresh}` },
		});
		expect(taken.status).toBe(200);
	} finally {
		await system.stop();
	}
}, 120_000);
