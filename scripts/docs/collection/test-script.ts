import type { PlannedStep } from './plan-folder.ts';

/** The tests that run after a request: status, shape, and the variables for later requests. */
export function testScript({ step, operation }: PlannedStep): readonly string[] {
	const status = step.status ?? operation.status;
	const lines = [`pm.test('returns ${status}', () => pm.response.to.have.status(${status}));`];
	if (operation.response === 'other') {
		return [...lines, "pm.test('is not empty', () => pm.expect(pm.response.text()).to.not.equal(''));"];
	}
	lines.push('const response = pm.response.json();');
	if (operation.response !== 'json') lines.push(...envelopeTests(status < 400));
	if (operation.response === 'page') lines.push(...pageTests);
	const kept = [...keepLines({ step, operation }), ...versionLines(operation)];
	return [...lines, ...kept, ...(step.tests ?? [])];
}

const envelopeTests = (isSuccess: boolean) => [
	`pm.test('is an envelope of a ${isSuccess ? 'success' : 'failure'}', () => {`,
	"	pm.expect(response).to.have.all.keys('success', 'data', 'message', 'timestamp');",
	`	pm.expect(response.success).to.equal(${isSuccess});`,
	'	pm.expect(new Date(response.timestamp).toISOString()).to.equal(response.timestamp);',
	'});',
];

const pageTests = [
	"pm.test('is a page of a list', () => {",
	"	pm.expect(response.data.items).to.be.an('array');",
	'	pm.expect(response.data.pagination.totalElements).to.be.at.least(response.data.items.length);',
	'});',
];

function keepLines({ step, operation }: PlannedStep): readonly string[] {
	const created = operation.status === 201 ? { [idVariable(operation.path)]: 'data.id' } : {};
	return Object.entries(step.keep ?? created).map(
		([name, path]) => `pm.collectionVariables.set('${name}', response.${path});`,
	);
}

type Operation = PlannedStep['operation'];

// The version of another record of the same kind, e.g. one that was looked up, must not replace that of the record in use.
function versionLines(operation: Operation): readonly string[] {
	if (!operation.isVersioned) return [];
	return [
		`const known = pm.collectionVariables.get('${idVariable(recordPath(operation))}');`,
		'if (!known || known === response.data.id)',
		`	pm.collectionVariables.set('${versionVariable(operation)}', response.data.version);`,
	];
}

/** The variable that holds the version of an operation's record: `PATCH /api/x/venues/{id}` → `venuesVersion`. */
export function versionVariable(operation: Operation): string {
	return idVariable(recordPath(operation)).replace(/Id$/, 'Version');
}

/** The path of the record: an action below `{id}` concerns that record, but a POST that creates has a record of its own. */
function recordPath({ path, status }: Operation): string {
	const end = path.lastIndexOf('}');
	return end === -1 || status === 201 ? path : path.slice(0, end + 1);
}

/** The variable for the id of the records at a path: `/api/x/age-classes` → `ageClassesId`. */
export function idVariable(path: string): string {
	const literals = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
	const name = (literals.at(-1) ?? '').replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
	return `${name}Id`;
}
