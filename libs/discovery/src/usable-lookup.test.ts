import type { LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { expect, test } from '@jest/globals';
import { usableLookup } from './service-agents.ts';

function look(hostname: string, options: LookupOptions) {
	return new Promise<{ address: unknown; family: unknown }>((resolve, reject) => {
		usableLookup(hostname, options, (error, address, family) =>
			error === null ? resolve({ address, family }) : reject(error),
		);
	});
}

test('returns the address of a name, in the requested form', async () => {
	const { address, family } = await look('localhost', {});
	expect(isIP(String(address))).toBe(family);
	expect((await look('localhost', { all: true })).address).toContainEqual({ address, family });
	expect(await look('10.1.2.3', { family: 4 })).toEqual({ address: '10.1.2.3', family: 4 });
});

// An address resolves to itself, so no DNS is needed for an unusable result.
test.each(['169.254.169.254', '0.0.0.0', 'fe80::1', '::ffff:169.254.169.254', 'fd00:ec2::254'])(
	'returns nothing for a name that resolves to %s only',
	async (address) => {
		await expect(look(address, {})).rejects.toThrow('resolves to no usable address');
		await expect(look(address, { all: true })).rejects.toThrow('resolves to no usable address');
	},
);

test('passes on that a name is unknown', async () => {
	await expect(look('nobody.invalid', {})).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
});
