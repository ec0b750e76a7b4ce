import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import {
	type BillOfMaterials,
	billOfMaterials,
	licencesText,
} from '../../scripts/release/bill-of-materials.ts';

let bom: BillOfMaterials;
beforeAll(() => {
	bom = billOfMaterials(fileURLToPath(new URL('../../', import.meta.url)));
}, 60_000);

const names = () => bom.components.map((component) => component['bom-ref'].replace(/@[^@]+$/, ''));

test('the bill of materials of a release lists what runs in production, and nothing of development', () => {
	expect(names()).toEqual(expect.arrayContaining(['express', 'pg', 'zod', 'undici', '@paddock/service']));
	expect(
		names().filter((name) => /^(jest|typescript|fastify|playwright-core|@biomejs\/.*)$/.test(name)),
	).toEqual([]);
});

test('it names neither the folder of the checkout nor the host of a registry', () => {
	expect(bom.metadata.component.name).toBe('paddock');
	const urls = JSON.stringify(bom).match(/https?:[^"]+/g) ?? [];
	expect(urls.filter((url) => !url.startsWith('http://cyclonedx.org/schema/'))).toEqual([]);
});

test('the list of licences has every package of others, and refuses one without a licence', () => {
	const text = licencesText(bom, '1.2.3');
	for (const { 'bom-ref': ref, purl } of bom.components) {
		const row = `| ${ref.replace(/@([^@]+)$/, ' | $1')} | `;
		expect([ref, text.includes(row)]).toEqual([ref, !purl.startsWith('pkg:npm/%40paddock/')]);
	}
	const unknown = { 'bom-ref': 'odd@1.0.0', name: 'odd', version: '1.0.0', purl: 'pkg:npm/odd@1.0.0' };
	expect(() => licencesText({ ...bom, components: [...bom.components, unknown] }, '1.2.3')).toThrow(
		'no licence is stated by odd@1.0.0',
	);
});
