import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { OpenapiDocument } from '../../scripts/openapi-document.ts';
import { releasedChangelog } from '../../scripts/release/changelog-text.ts';
import { contractChanges } from '../../scripts/release/contract-changes.ts';
import { mayBreak, releasedFile, unannouncedChanges } from '../../scripts/release/released-contract.ts';

const committed = parse(readFileSync('openapi.yaml', 'utf8')) as OpenapiDocument;

// YAML is easier to read here, and edited as text each change looks as it does in openapi.yaml.
const example = `
info: {version: 1.2.3}
paths:
 /foals:
  get:
   operationId: listFoals
   security: []
   parameters: [{$ref: "#/components/parameters/size"}, {name: sort, in: query, schema: {type: string, enum: [name, -name]}}]
   responses: {"200": {$ref: "#/components/responses/FoalsWithETag"}}
  post:
   operationId: createFoal
   x-roles: [ADMIN, MEMBER]
   requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/FoalBody"}}}}
   responses: {"201": {content: {application/json: {schema: {$ref: "#/components/schemas/Foal"}}}}}
components:
 responses: {FoalsWithETag: {headers: {ETag: {}}, content: {application/json: {schema: {$ref: "#/components/schemas/FoalsEnvelope"}}}}}
 parameters: {size: {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 200}}}
 schemas:
  Success: {type: object, properties: {success: {type: boolean}}, required: [success]}
  FoalsEnvelope: {allOf: [{$ref: "#/components/schemas/Success"}, {properties: {data: {type: array, items: {$ref: "#/components/schemas/Foal"}}}}]}
  Sex: {type: string, enum: [MARE, STALLION]}
  Foal: {type: object, properties: {name: {type: string}, sex: {$ref: "#/components/schemas/Sex"}, dam: {$ref: "#/components/schemas/Foal"}, height: {type: integer}}, required: [name]}
  FoalBody: {type: object, properties: {name: {type: string, maxLength: 60}, sex: {$ref: "#/components/schemas/Sex"}, weight: {type: number}, note: {type: string, nullable: true}}, required: [name]}
x-error-codes: {FOAL_TAKEN: {status: 409}}
`;

const edited = (from: string, to: string): OpenapiDocument => {
	if (!example.includes(from)) throw new Error(`The example has no ${from}.`);
	return parse(example.replaceAll(from, to)) as OpenapiDocument;
};
const changesBy = (from: string, to: string) =>
	contractChanges(parse(example) as OpenapiDocument, edited(from, to)).map(
		({ kind, text }) => `${kind} ${text}`,
	);

test.each([
	['operationId: listFoals', 'operationId: getFoals', '`GET /foals`: operationId listFoals is getFoals'],
	[' get:', ' put:', '`GET /foals`: removed'],
	['security: []', 'tags: []', '`GET /foals`: a token is required'],
	['[ADMIN, MEMBER]', '[ADMIN]', '`POST /foals`: refuses MEMBER'],
	['"201":', '"200":', '`POST /foals`: no response 201'],
	['headers: {ETag: {}}, ', '', '`GET /foals 200`: no header ETag'],
	['[{$ref: "#/components/parameters/size"}, ', '[', '`GET /foals query size`: removed'],
	['name: size,', 'name: size, required: true,', '`GET /foals query size`: required'],
	['maximum: 200', 'maximum: 100', '`GET /foals query size` in requests: maximum 200 is 100'],
	['type: integer', 'type: string', '`GET /foals query size` in requests: type "integer" is "string"'],
	['[name, -name]', '[name]', '`GET /foals query sort` in requests: refuses -name'],
	['maxLength: 60', 'maxLength: 60, pattern: a+', '`FoalBody.name` in requests: pattern none is "a+"'],
	['type: string, nullable: true', 'type: string', '`FoalBody.note` in requests: null is refused'],
	[
		'nullable: true}}, required: [name]',
		'nullable: true}}, required: [name, note]',
		'`FoalBody.note` in requests: required',
	],
	['note: {type: string, nullable: true}', 'noted: {type: string}', '`FoalBody.note` in requests: removed'],
	[
		'weight: {type: number}',
		'weight: {type: integer}',
		'`FoalBody.weight` in requests: type "number" is "integer"',
	],
	[
		'height: {type: integer}',
		'height: {type: number}',
		'`Foal.height` in responses: type "integer" is "number"',
	],
	[
		'FoalBody: {type: object,',
		'FoalBody: {type: object, additionalProperties: false,',
		'`FoalBody` in requests: refuses unknown properties',
	],
	['[MARE, STALLION]', '[MARE, STALLION, GELDING]', '`Sex` in responses: may be GELDING'],
	['[MARE, STALLION]', '[MARE]', '`Sex` in requests: refuses STALLION'],
	[
		'Foal: {type: object, properties: {name: {type: string}',
		'Foal: {type: object, properties: {title: {type: string}',
		'`Foal.name` in responses: removed',
	],
	[
		'Foal: {type: object, properties: {name: {type: string}',
		'Foal: {type: object, properties: {name: {type: string, nullable: true}',
		'`Foal.name` in responses: may be null',
	],
	[
		'enum: [MARE, STALLION]',
		'x-extensible-enum: [MARE, STALLION]',
		'`Sex` in responses: may be other values',
	],
	['required: [success]', 'required: []', '`GET /foals 200.success` in responses: may be absent'],
	['status: 409', 'status: 422', '`FOAL_TAKEN`: status 409 is 422'],
])('%s → %s breaks clients', (from, to, text) => {
	expect(changesBy(from, to)).toContain(`breaking ${text}`);
});

test.each([
	['maximum: 200', 'maximum: 500', []],
	['type: integer, minimum', 'type: number, minimum', []],
	['height: {type: integer}', 'height: {type: integer, minimum: 1}', []],
	[
		'note: {type: string, nullable: true}',
		'note: {type: string, nullable: true}, age: {type: integer}',
		['added `FoalBody.age` in requests: new'],
	],
	[
		'Foal: {type: object, properties: {',
		'Foal: {type: object, properties: {age: {type: integer}, ',
		['added `Foal.age` in responses: new'],
	],
	[
		'operationId: createFoal',
		'operationId: createFoal\n   deprecated: true\n   x-sunset: 2030-01-01',
		['deprecated `POST /foals`, until 2030-01-01 at least'],
	],
	['{FOAL_TAKEN: {status: 409}}', '{FOAL_TAKEN: {status: 409}, FOAL_OLD: {status: 422}}', []],
	['info:', 'info: # the same', []],
])('%s → %s does not', (from, to, changes) => {
	expect(changesBy(from, to)).toEqual(changes);
});

// A new rule of the federation is a new code of a check: it must not be a breaking release.
test('a new value of an open enumeration is an addition, in requests too; one that requests lose breaks clients', () => {
	const open = (values: string) => edited('enum: [MARE, STALLION]', `x-extensible-enum: [${values}]`);
	const changes = (before: string, after: string) => contractChanges(open(before), open(after));
	expect(changes('MARE, STALLION', 'MARE, STALLION, GELDING')).toEqual([
		{ kind: 'added', text: '`Sex` in responses: GELDING' },
	]);
	expect(changes('MARE, STALLION', 'MARE')).toEqual([
		{ kind: 'breaking', text: '`Sex` in requests: refuses STALLION' },
	]);
});

test('a response that several operations share, or that forbids unknown properties, is the same as any other', () => {
	const alone = edited(
		'{$ref: "#/components/responses/FoalsWithETag"}',
		'{headers: {ETag: {}}, content: {application/json: {schema: {$ref: "#/components/schemas/FoalsEnvelope"}}}}',
	);
	const closed = edited('Foal: {type: object,', 'Foal: {type: object, additionalProperties: false,');
	for (const other of [alone, closed]) {
		expect(contractChanges(other, parse(example) as OpenapiDocument)).toEqual([]);
		expect(contractChanges(parse(example) as OpenapiDocument, other)).toEqual([]);
	}
});

test('a body that becomes required breaks clients, one that becomes optional does not', () => {
	const [required, optional] = [parse(example), edited('requestBody: {required: true, ', 'requestBody: {')];
	expect(contractChanges(optional, required)).toEqual([
		{ kind: 'breaking', text: '`POST /foals`: a body is required' },
	]);
	expect(contractChanges(required, optional)).toEqual([]);
});

test('the file of a release has everything that is compared', () => {
	const named = edited(
		'note: {type',
		'description: {allOf: [{$ref: "#/components/schemas/Sex"}]}, note: {type',
	);
	for (const contract of [committed, named]) {
		const stored = parse(releasedFile(contract)[1]) as OpenapiDocument;
		expect([contractChanges(stored, contract), contractChanges(contract, stored)]).toEqual([[], []]);
	}
});

test('a new operation is an addition, and its removal breaks clients', () => {
	const without = structuredClone(committed) as { paths: Record<string, unknown> };
	delete without.paths['/api/ping'];
	const [gone, back] = [without as unknown as OpenapiDocument, committed];
	expect(contractChanges(gone, back)).toEqual([{ kind: 'added', text: '`GET /api/ping`' }]);
	expect(contractChanges(back, gone)).toEqual([{ kind: 'breaking', text: '`GET /api/ping`: removed' }]);
});

test.each([
	['0.1.0', '0.1.9', false],
	['0.1.0', '0.2.0', true],
	['0.9.0', '1.0.0', true],
	['1.2.3', '1.3.0', false],
	['1.2.3', '2.0.0', true],
])('after %s, version %s may break clients: %s', (released, next, expected) => {
	expect(mayBreak(released, next)).toBe(expected);
});

test('openapi.yaml is compatible with the last release, or has another version', () => {
	expect(unannouncedChanges(committed)).toEqual([]);
});

test('every deprecated operation works for another twelve months', () => {
	const deprecated = Object.values(committed.paths)
		.flatMap((item) => Object.values(item))
		.filter((operation) => operation.deprecated === true);
	expect(deprecated.length).toBeGreaterThan(0);
	for (const { operationId, 'x-deprecated-since': since = '', 'x-sunset': sunset = '' } of deprecated) {
		const earliest = new Date(since);
		earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
		expect([operationId, sunset >= earliest.toISOString().slice(0, 10)]).toEqual([operationId, true]);
	}
});

test('a release gets its section of the changelog, with the changes of the API', () => {
	const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n- Foals.\n\n## 1.0.0\n\nFirst.\n';
	const changes = contractChanges(parse(example) as OpenapiDocument, edited('maximum: 200', 'maximum: 100'));
	expect(releasedChangelog(changelog, { version: '2.0.0', day: '2027-01-02', changes })).toBe(
		'# Changelog\n\n## Unreleased\n\n## 2.0.0 (2027-01-02)\n\n### Added\n- Foals.\n\n### Breaking changes of the API\n- `GET /foals query size` in requests: maximum 200 is 100\n\n## 1.0.0\n\nFirst.\n',
	);
	expect(() => releasedChangelog('# Changelog\n', { version: '2.0.0', day: '', changes })).toThrow(
		'Unreleased',
	);
});
