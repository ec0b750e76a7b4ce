import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openapiDocument } from '../../scripts/docs/openapi-text.ts';
import { type System, startSystem } from '../system.ts';

let system: System;
beforeAll(async () => {
	system = await startSystem();
}, 120_000);
afterAll(() => system?.stop());

// Those of the horses are tried in services/horses, so that fewer processes start here.
const addresses = [
	['/api/masterdata/countries/iso/AUT', '/api/masterdata/countries/by-code/AUT'],
	['/health', '/actuator/health'],
	['/swagger', '/docs'],
] as const;

test('every former address of the document is tried', () => {
	const moved = Object.entries(openapiDocument().paths).filter(
		([path, item]) =>
			!path.startsWith('/api/horses/') &&
			Object.values(item).some(({ responses }) => responses['308'] !== undefined),
	);
	expect(moved).toHaveLength(addresses.length);
});

test.each(addresses)('%s leads to %s and announces its removal', async (former, current) => {
	const response = await fetch(system.gateway.url + former, { redirect: 'manual' });
	expect([response.status, response.headers.get('Location')]).toEqual([308, current]);
	expect(response.headers.get('Deprecation')).toMatch(/^@\d+$/);
	expect(Date.parse(response.headers.get('Sunset') ?? '')).toBeGreaterThan(Date.parse('2027-11-22'));
	expect(await response.json()).toMatchObject({ success: true, data: { location: current } });
	expect((await fetch(system.gateway.url + current)).status).toBe(200);
});
