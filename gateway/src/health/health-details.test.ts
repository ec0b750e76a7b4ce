import { expect, test } from '@jest/globals';
import { createTokenVerifier } from '@paddock/identity';
import { createMovingClock, createTestIdentity } from '@paddock/testing';
import { createHealthDetails } from './health-details.ts';

const minuteMs = 60_000;

test('details are visible to officers and administrators as long as their token is valid', async () => {
	const { now, advance } = createMovingClock();
	const identity = await createTestIdentity({ now });
	const { keys, issuer, audience } = identity;
	const verifier = createTokenVerifier({ keys, issuer, audience, now });
	const details = createHealthDetails({ policy: 'authorized', verifier });
	const visible = (token: string) => details.nowVisibleTo(`Bearer ${token}`);
	const [officer, member] = [
		identity.sign({ roles: ['FEDERATION_OFFICER'] }),
		identity.sign({ roles: ['MEMBER'] }),
	];
	expect([await visible(officer), await visible(member), await visible('x.y.z')]).toEqual([
		true,
		false,
		false,
	]);
	advance(14 * minuteMs);
	expect(await visible(officer)).toBe(true);
	advance(2 * minuteMs);
	expect(await visible(officer)).toBe(false);
	keys.close();
});
