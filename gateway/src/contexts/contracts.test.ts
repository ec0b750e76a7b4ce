import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contextNames } from './context-names.ts';
import { contractOf, readOwnContracts } from './contracts.ts';

const gateway = {
	name: 'farriers',
	position: 1,
	summary: 'Farriers',
	prefix: '/api/farriers',
	service: 'farriers',
	critical: false,
};
const bearer = { security: [{ bearer: [] }] };
const document = {
	openapi: '3.0.3',
	info: { title: 'Farriers', version: '1' },
	security: [{ bearer: [] }],
	paths: {
		'/api/farriers': { get: { security: [], 'x-cache': { parameters: ['town'] } }, post: {} },
		'/api/farriers/{id}': {
			get: { security: [{}, { bearer: [] }], 'x-cache': {} },
			put: bearer,
			delete: { 'x-cache': {} },
		},
	},
	components: {},
	'x-error-codes': {},
	'x-gateway': gateway,
};

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-contracts-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(files: Record<string, unknown>): Promise<URL> {
	for (const [name, content] of Object.entries(files))
		await writeFile(
			join(folder, `${name}.json`),
			typeof content === 'string' ? content : JSON.stringify(content),
		);
	return pathToFileURL(`${folder}/`);
}

test('an operation is public if its security, or that of the document, allows a call without a token', () => {
	const { context } = contractOf(document);
	expect(context.publicRoutes).toEqual(['GET /api/farriers', 'GET /api/farriers/{id}']);
	expect(contractOf({ ...document, security: [] }).context.publicRoutes).toContain('POST /api/farriers');
	expect(contractOf({ ...document, security: [] }).context.publicRoutes).not.toContain(
		'PUT /api/farriers/{id}',
	);
});

test('responses to GET are stored where the contract says so, by the parameters that it lists', () => {
	const { context } = contractOf(document);
	expect(context.cachedPaths).toEqual(['/api/farriers', '/api/farriers/{id}']);
	expect(context.cachedParameters).toEqual({ '/api/farriers': ['town'] });
});

test('the published document does not contain what only the gateway reads', () => {
	expect(contractOf(document).document).not.toHaveProperty('x-gateway');
});

test('all violations of all contracts are reported together', async () => {
	const at = await write({
		gateway: document,
		broken: '{',
		swagger: { ...document, openapi: '2.0' },
		elsewhere: { ...document, paths: { '/api/horses': { get: {} }, '/api/farriersx': {} } },
		tracing: { ...document, paths: { '/api/farriers': { trace: {} } } },
		misspelled: { ...document, 'x-gateway': { ...gateway, critcal: true } },
	});
	expect(contextNames(at)).toEqual(['broken', 'elsewhere', 'misspelled', 'swagger', 'tracing']);
	const { message } = await readOwnContracts(at).then(
		() => new Error('no violation'),
		(error: Error) => error,
	);
	for (const violation of [
		'broken.json: SyntaxError',
		'elsewhere.json: paths./api/horses: must be below /api/farriers',
		'elsewhere.json: paths./api/farriersx: must be below /api/farriers',
		'misspelled.json: x-gateway',
		'swagger.json: openapi: must be a version 3.0.x',
		'tracing.json: paths./api/farriers',
	])
		expect(message).toContain(violation);
});
